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

Result<int> run_loop_resume(Context& context, const Args& args) {
  const LoopState state = HF_TRY(find_loop(context, args.arguments().front(), trust_of(args)));
  const bool was = HF_TRY(state.dir->resume());
  if (was) {
    const auto told = context.runtime().events().record(
        {.type = "loop.resumed", .data = EventData().text("loop", state.file.name)});
    if (!told) context.warn("this is not on record: " + to_sentence(told.error()));
  }
  flush_events(context);
  context.emit({{"name", bytes_to_json(state.file.name)}, {"paused", false}, {"was_paused", was}});
  if (!was) context.note("it was not paused");
  return to_int(ExitCode::kDone);
}

constexpr std::array kLoopResumeOptions{kTrustConfigOption};
constexpr std::array kLoopResumeExamples{
    Example{.line = "holdfast loop resume fix.toml", .says = "A working loop goes on at once"},
};
constexpr std::array kLoopResumeExits{
    ExitNote{ExitCode::kDone, "it is not paused any more"},
    ExitNote{ExitCode::kNo, "the loop has never worked here"},
    ExitNote{ExitCode::kRefused,
             "the state under this name is of another file, or another user could change FILE"},
    ExitNote{ExitCode::kConfig, "the file is wrong"},
};
constexpr std::array kLoopResumeFields{
    JsonField{"name", "of the loop"},
    JsonField{"paused", "whether it is now"},
    JsonField{"was_paused", "whether it was"},
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

constinit const CommandSpec kLoopResumeCommand{
    .name = "loop resume",
    .summary = "let a paused loop go on",
    .description = "The end of `loop pause`.",
    .options = kLoopResumeOptions,
    .arguments = kLoopPauseArguments,
    .examples = kLoopResumeExamples,
    .exits = kLoopResumeExits,
    .json_fields = kLoopResumeFields,
    .run = run_loop_resume,
};

}  // namespace holdfast::cli
