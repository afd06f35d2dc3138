// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/option_value.h"
#include "cli/step/step_command.h"
#include "os/machine/random.h"

namespace holdfast::cli {
namespace {

constexpr double kMostJitter = 0.25;

Result<double> random_jitter() {
  const Id128 bits = HF_TRY(os::random_id());
  constexpr double kByte = 256;
  const double unit = (bits.bytes[0] + bits.bytes[1] / kByte) / kByte;
  return unit * kMostJitter;
}

Result<int> run_attempt(Context& context, const Args& args) {
  loop::StepRequest request{.kind = StepKind::kAttempt};
  const auto max = args.integer("max");
  if (!max) {
    return fail(usage_error("missing-option", "run", "holdfast attempt",
                            "--max N is missing: after how many failures to give up"));
  }
  if (*max == 0) return bad_value("max", "0", "at least 1");
  request.max = *max;
  request.backoff = HF_TRY(backoff_value(args));
  if (args.flag("jitter")) request.jitter = HF_TRY(random_jitter());
  return perform_step(context, args, std::move(request));
}

constexpr std::array kAttemptArguments{kStepKey};
constexpr std::array kAttemptOptions{
    OptionSpec{.name = "max",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "after N failures it is not tried any more"},
    OptionSpec{.name = "backoff",
               .kind = OptionKind::kText,
               .value = "D,D,...",
               .help = "how long to wait after the first failure, the second, and so on; the last "
                       "one repeats (default: no wait)"},
    OptionSpec{.name = "jitter",
               .help = "add up to a quarter to each wait, at random",
               .needs = "backoff"},
    kIfBusyOption,
    kStepWait,
    kStepTimeout,
    kStepGrace,
    kStepStatusFd,
};

constexpr std::array kAttemptExamples{
    Example{.line = "* * * * * holdfast attempt -q fix --max 3 --if-busy skip -- ./agent",
            .says = "In a crontab: nothing is printed while it runs or waits for its time"},
    Example{.line = "holdfast attempt fix-160 --max 3 --backoff 5m,30m,2h -- ./agent 160",
            .says = "Called from cron each minute: three tries at most, with growing pauses"},
    Example{.line = "holdfast step show fix-160",
            .says = "How many were used, how each ended, and when the next may be"},
    Example{.line = "holdfast step forget fix-160 --reason 'token renewed'", .says = "Start over"},
};

constexpr std::array kAttemptExits{
    ExitNote{ExitCode::kDone, "it is done: now (`ran`) or before (`skipped`)"},
    ExitNote{ExitCode::kUsage, "the command line is wrong; nothing was started"},
    ExitNote{ExitCode::kCorrupt,
             "its record is damaged; it was left as it is, nothing was started"},
    ExitNote{ExitCode::kCannotTell,
             "whether an earlier run is over cannot be told; nothing was started"},
    ExitNote{ExitCode::kBusy,
             "not yet: `next` says when; or it runs now. Nothing was started; come again"},
    ExitNote{ExitCode::kRefused,
             "--max failures are used up; `step forget` starts over. Or what lies in the place "
             "of its record is unsafe"},
    ExitNote{ExitCode::kDeadline, "--timeout fired: a failed attempt"},
    ExitNote{ExitCode::kWrapperFailed,
             "holdfast failed before the command ran; this is no attempt"},
    ExitNote{ExitCode::kNotExecutable, "the command cannot be executed: a failed attempt"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found: a failed attempt"},
};

}  // namespace

constinit const CommandSpec kAttemptCommand{
    .name = "attempt",
    .summary = "try a command a limited number of times, with pauses",
    .description =
        "Runs COMMAND unless it has succeeded for KEY, has failed --max times, or failed so "
        "recently that its pause is not over. Exit 0 is success, and it stays done until `step "
        "forget`; any other end is a failure whose code is passed on. Nothing here waits: a call "
        "before its time answers 75 at once and says when to come again; with --if-busy skip it "
        "exits with 0 instead.\n\n"
        "Pauses count on the clock of the machine's boot, time asleep included, so setting the "
        "clock makes nothing due; after a reboot the wall clock decides. A run whose end nobody "
        "saw (the machine went down) has used up an attempt: it may have done anything. One that "
        "never came to its command, because holdfast was killed before, has not; and a command "
        "that exits with 69 cannot tell: the pause follows, and no attempt is counted.\n\n"
        "The run is a session called `attempt:KEY`; what is said of `once` holds here too.",
    .options = kAttemptOptions,
    .arguments = kAttemptArguments,
    .trailing = Trailing::kCommand,
    .examples = kAttemptExamples,
    .exits = kAttemptExits,
    .json_fields = kStepFields,
    .run = run_attempt,
};

}  // namespace holdfast::cli
