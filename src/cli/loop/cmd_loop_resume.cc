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

constexpr std::array kLoopResumeArguments{kLoopFileArgument};
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

constinit const CommandSpec kLoopResumeCommand{
    .name = "loop resume",
    .summary = "let a paused loop go on",
    .description = "The end of `loop pause`.",
    .options = kLoopResumeOptions,
    .arguments = kLoopResumeArguments,
    .examples = kLoopResumeExamples,
    .exits = kLoopResumeExits,
    .json_fields = kLoopResumeFields,
    .run = run_loop_resume,
};

}  // namespace holdfast::cli
