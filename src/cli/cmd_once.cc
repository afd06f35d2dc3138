// SPDX-License-Identifier: Apache-2.0
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/option_value.h"
#include "cli/step_options.h"
#include "cli/step_perform.h"

namespace holdfast::cli {
namespace {

Result<int> run(Context& context, const Args& args) {
  loop::StepAsk ask{.kind = StepKind::kOnce};
  ask.ttl = args.duration("ttl");
  if (ask.ttl && *ask.ttl <= Duration::zero()) {
    return bad_value("ttl", *args.text("ttl"), "more than 0; leave it out to stay done for good");
  }
  std::optional<StepVerify> verify;
  if (const auto line = args.text("verify")) {
    verify.emplace(StepVerify{.line = *line});
    verify->timeout = args.duration("verify-timeout").value_or(run::kDefaultVerifyTimeout);
  }
  return perform_step(context, args, std::move(ask), verify);
}

constexpr std::array kArguments{kStepKey};
constexpr std::array kOptions{
    OptionSpec{.name = "ttl",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "what was done longer ago than D is to be done again"},
    OptionSpec{.name = "verify",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help = "a shell line that tells whether it is done, asked where nobody saw how the "
                       "last run ended"},
    OptionSpec{.name = "verify-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long that may take (default 5m)"},
    kStepTimeout,
    kStepGrace,
    kStepStatusFd,
};

constexpr std::array kExamples{
    Example{.line = "holdfast once migrate-7 -- ./migrate 7",
            .says = "Only the first call that succeeds does anything"},
    Example{.line = "holdfast once daily-report --ttl 20h -- ./report",
            .says = "At most once in twenty hours, however often it is called"},
    Example{.line = "holdfast once merge-42 --verify './is-merged 42' -- ./merge 42",
            .says = "After a crash the world is asked before it is done again"},
    Example{.line = "holdfast once show migrate-7", .says = "Was it done, and how did it go?"},
};

constexpr std::array kExits{
    ExitNote{ExitCode::kDone, "it is done: now (`ran`) or before (`skipped`)"},
    ExitNote{ExitCode::kUsage, "the command line is wrong; nothing was started"},
    ExitNote{ExitCode::kCorrupt,
             "its record is damaged; it was left as it is, nothing was started"},
    ExitNote{ExitCode::kCannotTell,
             "whether an earlier run is over, or --verify whether it is done, cannot be told; "
             "nothing was started"},
    ExitNote{ExitCode::kBusy, "somebody else does it now, and is named; nothing was started"},
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
        "next call runs it again. Never do two run at a time: whoever comes meanwhile gets 75.\n\n"
        "Before the command is let go, who runs it is on record, durably. If this program is "
        "killed, the run goes on under its supervisor and is counted at its end. If the supervisor "
        "is killed too, or the machine goes down, nobody knows whether the command has done its "
        "work: the next call runs it again and says so (`repeated`): at least once. With --verify "
        "CMD it asks first: exit 0, it is done and nothing is run; 69, 125 and above, a signal or "
        "a time-out, nobody can tell, the code is 69 and nothing is run; anything else, it was not "
        "done and is run.\n\n"
        "The run is a session called `once:KEY`: `holdfast ps`, `show`, `stop` and `adopt` find "
        "it. The command has the caller's terminal and streams; under --json its standard output "
        "goes to standard error. A key that is called `show`, `list` or `forget` is taken for one "
        "where `--` follows.",
    .options = kOptions,
    .arguments = kArguments,
    .trailing = Trailing::kCommand,
    .examples = kExamples,
    .exits = kExits,
    .json_fields = kStepFields,
    .run = run,
};

}  // namespace holdfast::cli
