// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/option_value.h"
#include "cli/step/step_command.h"
#include "run/session/order.h"

namespace holdfast::cli {
namespace {

Result<int> run_once_here(Context& context, const Args& args) {
  loop::StepRequest request{.kind = StepKind::kOnce};
  request.ttl = args.duration("ttl");
  if (request.ttl && *request.ttl <= Duration::zero()) {
    return bad_value("ttl", *args.text("ttl"), "more than 0; leave it out to stay done for good");
  }
  std::optional<loop::Question> verify;
  if (const auto line = HF_TRY(shell_line_value(args, "verify"))) {
    verify.emplace(loop::Question{.line = *line});
    verify->timeout = args.duration("verify-timeout").value_or(run::kDefaultVerifyTimeout);
  }
  return perform_step(context, args, std::move(request), verify);
}

constexpr std::array kOnceArguments{kStepKey};
constexpr std::array kOnceOptions{
    OptionSpec{.name = "ttl",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "what was done longer ago than D is to be done again"},
    OptionSpec{.name = "verify",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help =
                   "a shell line that tells whether it is done: asked after an exit with 0, and "
                   "before it is run again where nobody saw how the last run ended"},
    OptionSpec{.name = "verify-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long that may take (default 5m)",
               .needs = "verify"},
    kIfBusyOption,
    kStepWait,
    kStepTimeout,
    kStepGrace,
    kStepStatusFd,
};

constexpr std::array kOnceExamples{
    Example{.line = "holdfast once migrate-7 -- ./migrate 7",
            .says = "Only the first call that succeeds does anything"},
    Example{.line = "holdfast once daily-report --ttl 20h -- ./report",
            .says = "At most once in twenty hours, however often it is called"},
    Example{.line = "holdfast once merge-42 --verify './is-merged 42' -- ./merge 42",
            .says = "Done is what the world says; after a crash it is asked before a repetition"},
    Example{.line = "holdfast step show migrate-7", .says = "Was it done, and how did it go?"},
};

constexpr std::array kOnceExits{
    ExitNote{ExitCode::kDone, "it is done: now (`ran`) or before (`skipped`)"},
    ExitNote{ExitCode::kUsage, "the command line is wrong; nothing was started"},
    ExitNote{ExitCode::kCorrupt,
             "its record is damaged; it was left as it is, nothing was started"},
    ExitNote{ExitCode::kCannotTell,
             "whether an earlier run is over, or --verify whether it is done, cannot be told; "
             "nothing was started"},
    ExitNote{ExitCode::kBusy,
             "somebody else does it now, and is named (see --if-busy); nothing was started"},
    ExitNote{ExitCode::kUnproven,
             "the command exited with 0, and --verify said no or could not tell; it is not done"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
    ExitNote{ExitCode::kDeadline, "--timeout fired; it is not done"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

}  // namespace

constinit const CommandSpec kOnceCommand{
    .name = "once",
    .summary = "run a command once for a key, across crashes and reboots",
    .description =
        "Runs COMMAND unless it has succeeded for KEY before. It is done when a run of it has "
        "exited with 0, and only then; every other end passes the command's exit code on, and the "
        "next call runs it again. A run that somebody asked to end (`holdfast stop`, a signal to "
        "this program) is not done, even if it exits with 0: the code is 128+n then. Never do two "
        "run at a time: whoever comes meanwhile gets 75. With --if-busy wait it waits for the "
        "other "
        "run, and does it only if that one has not; with skip it exits with 0, records "
        "`step.skipped` first, and with -q prints nothing. What was done stays done until a run "
        "with "
        "--ttl has succeeded again.\n\n"
        "Before the command is let go, who runs it is on record, durably. If this program is "
        "killed, the run goes on under its supervisor and is counted at its end. If the supervisor "
        "is killed too, or the machine goes down, nobody knows whether the command has done its "
        "work: the next call runs it again and says so (`repeated`): at least once.\n\n"
        "With --verify CMD an exit with 0 is a claim, and CMD is asked: exit 0, it is done; else "
        "the code is 76 and it is not. After an end that nobody saw it is asked first: exit 0, it "
        "is done and nothing is run; 69, 125 and above, a signal or a time-out, nobody can tell, "
        "the code is 69 and nothing is run; anything else, it was not done and is run. So it is "
        "after a verification that could not tell.\n\n"
        "The run is a session called `once:KEY`: `holdfast ps`, `show`, `stop` and `adopt` find "
        "it. The command has the caller's terminal and streams; under --json its standard output "
        "goes to standard error. A key that is called `show`, `list` or `forget` is taken for one "
        "where `--` follows.",
    .options = kOnceOptions,
    .arguments = kOnceArguments,
    .trailing = Trailing::kCommand,
    .examples = kOnceExamples,
    .exits = kOnceExits,
    .json_fields = kStepFields,
    .run = run_once_here,
};

}  // namespace holdfast::cli
