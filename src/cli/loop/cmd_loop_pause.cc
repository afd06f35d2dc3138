// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "cli/loop/loop_state.h"
#include "format/json/json.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> run_loop_pause(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const std::string reason = args.text("reason").value_or("");
  const LoopState state =
      HF_TRY(open_loop(context, args.arguments().front(), false, trust_of(args)));
  HF_TRY(state.dir->pause({.since = clock.wall(), .reason = reason}));
  const auto told = context.runtime().events().record(
      {.type = "loop.paused",
       .data = EventData().text("loop", state.file.name).text("reason", reason)});
  if (!told) context.warn("this is not on record: " + to_sentence(told.error()));
  flush_events(context);
  context.emit({{"name", bytes_to_json(state.file.name)}, {"paused", true}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kLoopPauseArguments{kLoopFileArgument};
constexpr std::array kLoopPauseOptions{
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "shown by `loop status` and to whoever starts the loop"},
    kTrustConfigOption,
};
constexpr std::array kLoopPauseExamples{
    Example{.line = "holdfast loop pause fix.toml --reason 'the forge is being moved'",
            .says = "Nothing new is begun until `loop resume`"},
};
constexpr std::array kLoopPauseExits{
    ExitNote{ExitCode::kDone, "it is paused"},
    ExitNote{ExitCode::kRefused,
             "the state under this name is of another file, or another user could change FILE"},
    ExitNote{ExitCode::kConfig, "the file is wrong"},
};
constexpr std::array kLoopPauseFields{
    JsonField{"name", "of the loop"},
    JsonField{"paused", "whether it is now"},
};

}  // namespace

constinit const CommandSpec kLoopPauseCommand{
    .name = "loop pause",
    .summary = "let a loop begin nothing new",
    .description =
        "No item is begun until `loop resume`, also by loops that are started later, and after a "
        "boot. What is under way is brought to its end: it is verified, on_success runs, people "
        "are told.",
    .options = kLoopPauseOptions,
    .arguments = kLoopPauseArguments,
    .examples = kLoopPauseExamples,
    .exits = kLoopPauseExits,
    .json_fields = kLoopPauseFields,
    .run = run_loop_pause,
};

}  // namespace holdfast::cli
