// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/step/step_command.h"

namespace holdfast::cli {
namespace {

Result<int> run_tick(Context& context, const Args& args) {
  return perform_step(context, args, {.kind = StepKind::kTick});
}

constexpr std::array kTickArguments{kStepKey};
constexpr std::array kTickOptions{
    OptionSpec{.name = "no-overlap", .help = "never two at a time: as it is without this option"},
    kStepTimeout,
    kStepGrace,
    kStepStatusFd,
};

constexpr std::array kTickExamples{
    Example{.line = "* * * * * holdfast tick -q sync -- ./sync",
            .says = "In a crontab: a sync that takes longer than a minute is not started twice"},
    Example{.line = "holdfast step show sync", .says = "The last runs, and who works now"},
};

constexpr std::array kTickExits{
    ExitNote{ExitCode::kUsage, "the command line is wrong; nothing was started"},
    ExitNote{ExitCode::kCorrupt,
             "its record is damaged; it was left as it is, nothing was started"},
    ExitNote{ExitCode::kCannotTell,
             "whether the last tick is over cannot be told; nothing was started"},
    ExitNote{
        ExitCode::kBusy,
        "the last tick still works: this one is left out (`skipped`), and says so, also with -q"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
    ExitNote{ExitCode::kDeadline, "--timeout fired"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

}  // namespace

constinit const CommandSpec kTickCommand{
    .name = "tick",
    .summary = "run a command from cron, never two at a time",
    .description =
        "Runs COMMAND unless a tick of KEY is under way: then it answers 75 at once and records "
        "`tick.skipped`. The claim is held by the process tree of the working tick, not by a file "
        "that could be left behind: a tick whose worker was killed, by whatever, is noted as "
        "`lost`, and the next one runs. One whose supervisor was killed while its command goes on "
        "is still under way: `holdfast adopt` or `holdfast stop` is what helps.\n\n"
        "The run is a session called `tick:KEY`; what is said of `once` holds here too.",
    .options = kTickOptions,
    .arguments = kTickArguments,
    .trailing = Trailing::kCommand,
    .examples = kTickExamples,
    .exits = kTickExits,
    .json_fields = kStepFields,
    .run = run_tick,
};

}  // namespace holdfast::cli
