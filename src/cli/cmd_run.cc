// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/args.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/run_answer.h"
#include "os/file.h"
#include "os/inherited.h"
#include "os/real_clock.h"
#include "supervise/run.h"
#include "supervise/verdict.h"

namespace holdfast::cli {
namespace {

Result<supervise::RunRequest> request_of(const Context& context, const Args& args) {
  supervise::RunRequest request;
  request.argv = args.trailing();
  request.timeout = args.duration("timeout");
  request.grace = args.duration("grace").value_or(supervise::kDefaultGrace);
  if (request.timeout && *request.timeout <= Duration::zero()) {
    return fail(usage_error("bad-value", "use the value of --timeout",
                            "'" + *args.text("timeout") + "'",
                            "a deadline is more than 0; leave the option out for none"));
  }
  if (context.json()) request.stdout_to = os::StdoutTo::kStderr;
  return request;
}

Result<> say_status(os::Handle status, const supervise::Verdict& verdict) {
  if (!status.valid()) return {};
  return os::File(std::move(status), "the descriptor of --status-fd")
      .write_all(status_line(verdict));
}

Result<int> run(Context& context, const Args& args) {
  os::Handle status;
  if (const auto fd = args.integer("status-fd")) status = HF_TRY(os::adopt_for_writing(*fd));
  const supervise::RunRequest request = HF_TRY(request_of(context, args));

  const os::RealClock clock;
  auto outcome = supervise::run_foreground(clock, request);
  supervise::RunReport report;
  if (outcome) {
    report = std::move(*outcome);
  } else {
    report.fault = std::move(outcome).error();
    report.ended = clock.wall();
  }
  const supervise::Verdict verdict = supervise::judge(report);
  const std::string& command = request.argv.front();

  context.emit(run_fields(report, verdict));
  const std::string note = run_note(report, verdict, command, request.timeout);
  if (!note.empty()) context.note(note);
  auto error = run_error(report, verdict, command);
  const auto told = say_status(std::move(status), verdict);
  if (!told && !error) error = told.error();
  if (error) context.report(*error);
  return verdict.code;
}

constexpr std::array kOptions{
    OptionSpec{.name = "timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "end the command and its whole tree after D, time asleep included"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the time between TERM and KILL (default 10s)"},
    OptionSpec{
        .name = "status-fd",
        .kind = OptionKind::kInteger,
        .value = "N",
        .help = "write whose exit code it is, as a line of JSON, to descriptor N (3 or more)"},
};

constexpr std::array kExamples{
    Example{.line = "holdfast run --timeout 1h -- make test",
            .says = "Run the tests; after an hour end them and all that they started"},
    Example{.line = "holdfast run --timeout 90s --grace 2s -- ./agent",
            .says = "TERM after 90 seconds, KILL two seconds later"},
    Example{.line = "holdfast run --json -- ./agent >result.json",
            .says = "Keep the outcome as JSON; the agent's own output goes to stderr"},
};

constexpr std::array kExits{
    ExitNote{ExitCode::kUsage, "the command line is wrong; nothing was started"},
    ExitNote{ExitCode::kCannotTell, "the supervisor was killed; how the command ended is unknown"},
    ExitNote{ExitCode::kSurvivors, "processes of the command survived KILL; the output names them"},
    ExitNote{ExitCode::kDeadline, "the deadline fired, whatever the command did then"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

constexpr std::array kFields{
    JsonField{"name", "null: this run has no session"},
    JsonField{"state",
              "`exited`, `killed` (by a signal), `timed_out`, `failed` (not started) or "
              "`lost` (nobody knows)"},
    JsonField{"exit_code", "the command's own; null where it has none"},
    JsonField{"signal", "the number of the signal that the command died of; else null"},
    JsonField{"pid", "of the command; null where it was not started"},
    JsonField{"started", "when; null where it was not started"},
    JsonField{"ended", "when the whole tree was gone, or given up"},
    JsonField{"log", "null, as `name`"},
    JsonField{"verified", "null, as `name`"},
    JsonField{"containment",
              "how the tree was held: `subreaper`, or `subreaper-by-number` without pidfds"},
    JsonField{"terminated", "how many processes were sent TERM"},
    JsonField{"killed", "how many processes were sent KILL"},
    JsonField{"survivors", "a list of who is left after KILL, each with `pid` and `name`"},
    JsonField{"survivors_total",
              "how many are left; more than the list names where there are many"},
};

}  // namespace

constinit const CommandSpec kRunCommand{
    .name = "run",
    .summary = "run a command to the end of its process tree, with a deadline",
    .description =
        "Runs the command after `--`, without a shell, in this terminal and with this standard "
        "input. Its exit code passes through; if it dies of signal n, the code is 128+n.\n\n"
        "When the deadline passes, every process that the command has started gets TERM and, after "
        "the grace, KILL, also those that left its process group or session or outlived their "
        "parent; then the code is 124. When the command ends by itself, what it left behind is "
        "ended in the same way. The run is over when the kernel confirms that nothing is left.\n\n"
        "Signals that are sent to holdfast go to the command. Ctrl-C reaches the command from the "
        "terminal, once, and holdfast waits for what it does. Under --json the command's standard "
        "output goes to standard error.\n\n"
        "--status-fd gets one line of JSON: `by` (`holdfast` or `command`: whose word it is), "
        "`code`, `signal` and `reason`. It tells a command's own 124 from a deadline.\n\n"
        "A name without a slash is looked up in PATH; an empty entry of PATH is skipped and does "
        "not mean the current directory.",
    .options = kOptions,
    .trailing = Trailing::kCommand,
    .examples = kExamples,
    .exits = kExits,
    .json_fields = kFields,
    .run = run,
};

}  // namespace holdfast::cli
