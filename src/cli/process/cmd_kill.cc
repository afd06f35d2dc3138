// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/process/identity_argument.h"
#include "cli/process/kill_order.h"
#include "cli/process/kill_target.h"
#include "proc/identity/identity.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Error kill_needs_a_pid_file() {
  return usage_error("bad-target", "use", "--started-after or --starttime",
                     "they are evidence for --pidfile; an identity needs none");
}

Result<PidFileContent> kill_target_of(const Context& context, const Args& args,
                                      const Clock& clock) {
  const bool named = !args.arguments().empty();
  const bool by_file = args.text("pidfile").has_value();
  if (named == by_file) {
    return fail(usage_error("bad-target", "kill", named ? "ID and --pidfile" : "nobody",
                            "give either ID or --pidfile FILE"));
  }
  if (by_file) return read_pid_file(args, clock);
  if (args.text("started-after") || args.integer("starttime")) {
    return fail(kill_needs_a_pid_file());
  }
  return HF_TRY(identity_argument(context, args.arguments().front()));
}

Result<int> run_kill(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  proc::KillOrder order = HF_TRY(kill_order(args));
  if (!args.arguments().empty() && names_a_session(args.arguments().front()) &&
      !args.text("pidfile")) {
    if (args.text("started-after") || args.integer("starttime"))
      return fail(kill_needs_a_pid_file());
    return kill_session(context, args.arguments().front(), order);
  }
  const PidFileContent target = HF_TRY(kill_target_of(context, args, clock));
  HF_TRY(context.runtime().location());  // without a home nothing is killed
  EventSink& events = context.runtime().events();
  if (const auto* identity = std::get_if<IdentityRecord>(&target)) {
    order.run = identity->run;
    const proc::KillReport report =
        HF_TRY(proc::kill_process(proc::from_record(identity->process), order, events));
    return answer_kill(context, identity->process.pid, report);
  }
  auto judged = HF_TRY(proc::judge_pid_file(std::get<proc::PidFileClaim>(target), clock));
  const proc::KillReport report =
      HF_TRY(proc::kill_judged(judged.identity, std::move(judged.verdict), order, events));
  return answer_kill(context, os::number(judged.identity.pid), report);
}

constexpr std::array kKillArguments{
    ArgumentSpec{.name = "ID", .help = kIdentityHelp, .arity = Arity::kOptional}};

constexpr std::array kKillExamples{
    Example{.line = "holdfast kill @server.id", .says = "TERM, after 10 seconds KILL"},
    Example{.line = "holdfast kill @server.id --signal HUP", .says = "One signal, and no more"},
    Example{.line = "holdfast kill @agent.id --tree --grace 2s",
            .says = "And all that it started, as far as it can be found"},
    Example{.line = "holdfast kill --pidfile d.pid --started-after 2026-11-15T07:00Z",
            .says = "What an old pid file names, if it was started since then"},
};

constexpr std::array kKillExits{
    ExitNote{ExitCode::kDone, "killed: it has ended; with --signal: the signal was sent"},
    ExitNote{ExitCode::kUsage, "ID is a bare number, or the options do not go together"},
    ExitNote{ExitCode::kCorrupt, "ID is not an identity"},
    ExitNote{ExitCode::kNo, "gone: it had ended before; or there is no such session or file"},
    ExitNote{ExitCode::kCannotTell,
             "unproven: it cannot be told whether it is the one, or the journal cannot take the "
             "decision, and nothing was signalled; or the tree was ended without proof"},
    ExitNote{ExitCode::kOsRefused, "not permitted: the kernel does not let this user signal it"},
    ExitNote{ExitCode::kSurvivors, "survivors: somebody is left, and named"},
    ExitNote{ExitCode::kRefused,
             "mismatch: the number is another process now; or refused: it is "
             "never signalled, or the pid file is not safe"},
};

constexpr std::array kKillFields{
    JsonField{"outcome",
              "`killed`, `signalled` (sent, not waited for), `gone`, `mismatch`, `refused`, "
              "`not_permitted`, `survivors` or `unproven`"},
    JsonField{"survivors", "a list of who is left, each with `pid`, `name` and `why`"},
    JsonField{"pid", "the number of the process that was meant"},
    JsonField{"evidence", "why, a stable word: `pidfd-ended`, `recycled`, `no-cgroup`, …"},
    JsonField{"ended", "how many processes were seen to end"},
    JsonField{"unread", "with --tree: processes whose environment could not be looked at"},
};

}  // namespace

constinit const CommandSpec kKillCommand{
    .name = "kill",
    .summary = "end the process that an identity means, and never another one",
    .description =
        "The process is pinned (pidfd), the pinned one is compared with the identity, and the "
        "signal goes through the pin: a number that was given to another process meanwhile is a "
        "mismatch, and nobody is signalled. The decision is on stable storage before the signal; "
        "where the journal cannot take it, nothing is done.\n\n"
        "Process 1, this program, whoever is above it and threads of the kernel are never "
        "signalled. Without pidfds (an old kernel, a filter) nobody is: 69.\n\n"
        "If ID is the name of a session, its record has to be true, as for `stop`: the command "
        "carries the run id of the record, or the lock of the name says as well that it is held "
        "for that command. Anything else is a mismatch (77).\n\n"
        "--tree ends what is below the process, and orphans that carry its run id (HOLDFAST_RUN), "
        "each pinned and proven. A process whose parent lives and is not in the tree is left "
        "alone, whatever it carries. --tree finds what it can, but nothing proves that this is "
        "all: an orphan with another environment is not found. So if all that was found has "
        "ended, the answer is still 69, `unproven`. `run` holds a tree of its own from the start, "
        "and can prove its end.\n\n"
        "--pidfile takes the number that another program wrote into a file, as `PID`, as `PID "
        "TICKS` or as JSON with `pid`. The file must be yours or root's, and no link; its "
        "directory must not be open to others. A number proves nothing. Enough is an exact start "
        "time (in the file, or --starttime), with a file written since this boot; or "
        "--started-after TIME, if the process started after TIME and not after the last write of "
        "the file (and 0.1 s). That rests on the wall clock: if it was set back since the write, a "
        "process that got the number in that time passes for the one that is meant. A file that "
        "was copied or touched since proves only what TIME leaves open. Another user's process is "
        "never ended by a pid file, not even by root.",
    .options = kKillOptions,
    .arguments = kKillArguments,
    .examples = kKillExamples,
    .exits = kKillExits,
    .json_fields = kKillFields,
    .run = run_kill,
};

}  // namespace holdfast::cli
