// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/process/identity_argument.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::cli {
namespace {

std::string_view word_of(proc::Life life) {
  switch (life) {
    case proc::Life::kLive:
      return "live";
    case proc::Life::kDead:
      return "dead";
    case proc::Life::kUnknown:
      return "unknown";
  }
  return "unknown";
}

Result<int> run_alive(Context& context, const Args& args) {
  const IdentityRecord identity = HF_TRY(identity_argument(context, args.arguments().front()));
  const proc::LifeVerdict verdict = proc::judge(proc::from_record(identity.process));
  const std::string word(word_of(verdict.life));
  context.emit({{"verdict", word}, {"evidence", verdict.evidence}, {"pid", identity.process.pid}});
  context.print(word + ": " + verdict.evidence + "\n");
  if (verdict.life == proc::Life::kLive) return to_int(ExitCode::kDone);
  if (verdict.life == proc::Life::kDead) return to_int(ExitCode::kNo);
  return fail({.code = ErrorCode::kCannotTell,
               .op = "tell whether it lives:",
               .subject = "process " + std::to_string(identity.process.pid),
               .cause = verdict.evidence,
               .detail = "from here it cannot be seen (" + verdict.evidence + ")"});
}

constexpr std::array kAliveArguments{ArgumentSpec{.name = "ID", .help = kIdentityHelp}};

constexpr std::array kAliveExamples{
    Example{.line = "holdfast alive @server.id", .says = "Does the process of that identity live?"},
    Example{.line = "holdfast identify $! | tee job.id | holdfast alive -",
            .says = "From a pipe, as one line of JSON"},
};

constexpr std::array kAliveExits{
    ExitNote{ExitCode::kDone, "it lives, whoever may signal it"},
    ExitNote{ExitCode::kUsage, "ID is a bare number"},
    ExitNote{ExitCode::kCorrupt, "ID is not an identity"},
    ExitNote{ExitCode::kNo,
             "it is dead, or its number is another process now; or there is no such "
             "session or file"},
    ExitNote{ExitCode::kCannotTell,
             "unknown: another host or namespace, a process that is hidden, a newer format"},
};

constexpr std::array kAliveFields{
    JsonField{"verdict", "`live`, `dead` or `unknown`"},
    JsonField{"evidence",
              "why: `running`; `pidfd-ended`, `no-such-process`, `recycled`, `zombie`, "
              "`other-boot`, `namespace-gone`; `other-host`, `other-boot-unproven`, "
              "`other-pid-namespace`, "
              "`other-time-namespace`, `hidepid`, `no-proc`, or the error that came in between"},
    JsonField{"pid", "the number of the process"},
};

}  // namespace

constinit const CommandSpec kAliveCommand{
    .name = "alive",
    .summary = "does the process that an identity means live?",
    .description =
        "Says live, dead or unknown, with the evidence. Dead is said only on proof: the kernel "
        "says that it has ended, that nobody has the number or that another process has it, or "
        "this machine was booted since. Whatever keeps one from seeing it makes the answer "
        "unknown, never dead.\n\n"
        "A process that you may not signal is live like any other. Live is true of the moment; "
        "`kill` looks for itself.",
    .arguments = kAliveArguments,
    .examples = kAliveExamples,
    .exits = kAliveExits,
    .json_fields = kAliveFields,
    .run = run_alive,
};

}  // namespace holdfast::cli
