// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/file/file_options.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_command.h"
#include "cli/lock/lock_options.h"
#include "cli/session/run_answer.h"
#include "os/spawn/inherited.h"
#include "run/lock/under_lock.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> run_lock(Context& context, const Args& args) {
  os::Handle status;
  if (const auto fd = args.integer("status-fd")) status = HF_TRY(os::adopt_for_writing(*fd));
  const auto busy_code = HF_TRY(busy_code_value(args));
  const run::LockRunRequest request = HF_TRY(lock_run_request(context, args));
  note_file_of_that_name(context, request.id);

  run::LockRunResult answer = run::run_under_lock(context.runtime(), context, request);
  supervise::Verdict verdict = verdict_of(answer, busy_code);
  if (if_busy_value(args) == run::IfBusy::kSkip && answer.error && is_busy(*answer.error)) {
    const auto skipped = skip_lock(context, answer, verdict);
    if (!skipped) answer.error->detail += "; it is not skipped: " + to_sentence(skipped.error());
  }
  if (verdict.by == supervise::By::kCommand) context.code_is_the_commands();
  if (context.json()) context.emit(lock_fields(answer, verdict));
  auto error = lock_error(answer, verdict, request.argv.front());
  const auto told = say_status(std::move(status), verdict);
  if (!told && !error) error = told.error();
  if (error) context.report(*error);
  return verdict.code;
}

constexpr auto kLockOptions = joined(kLockCommandOptions, kAcquireOptions);
constexpr std::array kLockArguments{kLockNameArgument};

constexpr std::array kLockExamples{
    Example{.line = "holdfast lock deploy -- ./deploy.sh",
            .says = "Only one at a time; wait up to 10 seconds for another"},
    Example{.line = "holdfast lock -n /run/lock/sync.lock -- ./sync",
            .says = "The same file as `flock -n /run/lock/sync.lock ./sync`; do not wait"},
    Example{.line = "holdfast lock -n --file settings.json -- ./edit settings.json",
            .says = "Exclude everybody who flocks `.settings.json.lock`; do not wait"},
    Example{.line = "holdfast lock nightly --ttl 1m --yields kill -- ./nightly",
            .says = "A holder that is not heard of for a minute may be ended by the next"},
    Example{.line = "holdfast lock --slots 3 gpu -w 1h -- ./train",
            .says = "At most three at once; the fourth waits for up to an hour"},
    Example{.line = "holdfast lock cache --fail-open timeout,enospc -- ./build",
            .says = "Rather without the lock than not at all, and on record"},
    Example{.line = "holdfast lock deploy -s -w forever -- ./read-only-check",
            .says = "Together with other readers, however long it takes"},
};

constexpr std::array kLockExits{
    ExitNote{ExitCode::kUsage, "the command line is wrong; nothing was started"},
    ExitNote{ExitCode::kCorrupt, "the lock's record or HOLDFAST_CHAIN is damaged"},
    ExitNote{ExitCode::kCannotTell,
             "whether the holder lives cannot be told, or how the command ended"},
    ExitNote{ExitCode::kSurvivors,
             "something was to be ended (the old holder, or the command after its lease was "
             "lost) and is still alive"},
    ExitNote{ExitCode::kBusy,
             "not got in time (see --busy-code), or waiting would never end (cause `deadlock`)"},
    ExitNote{ExitCode::kUnproven, "the lock was lost while the command ran, whatever its own code"},
    ExitNote{ExitCode::kRefused, "what lies in the place of the lock is not safe to use"},
    ExitNote{ExitCode::kConfig, "no home can be found"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

constexpr std::array kLockFields{
    JsonField{"lock", "NAME (of a path the absolute one), or `file:` and the absolute path"},
    JsonField{"held", "the command ran under the lock; false: it did not run, or ran without it"},
    JsonField{"mode", "`exclusive` or `shared`; null if it was not acquired"},
    JsonField{"fence", "a number that is higher than that of every holder before"},
    JsonField{"waited_ms", "how long it was waited for; null where it could not be asked for"},
    JsonField{"reentered", "an outer holdfast held it already"},
    JsonField{"evidence", "why it was granted: `fresh`, `dead`, `rebooted`, `expired`, …"},
    JsonField{"holder", "who has it, if it was not acquired; else null"},
    JsonField{"open_reason", "why the command ran without the lock; null where it did not"},
    JsonField{"lost", "how the lock was lost while the command ran; else null"},
    JsonField{"skipped", "with --if-busy skip: it was busy, and nothing was started"},
    JsonField{"state",
              "as `run`: `exited`, `killed`, `failed` (not started) or `lost`; null if it "
              "was skipped"},
    JsonField{"exit_code", "the command's own; null where it has none"},
    JsonField{"signal", "the number of the signal that the command died of; else null"},
    JsonField{"pid", "of the command; null where it was not started"},
    JsonField{"started", "when; null where it was not started"},
    JsonField{"ended", "when; null where it was not started"},
    JsonField{"terminated", "how many processes were sent TERM, after a lease was lost"},
    JsonField{"killed", "how many processes were sent KILL"},
    JsonField{"survivors", "a list of who is left after KILL, each with `pid` and `name`"},
    JsonField{"survivors_total", "how many are left"},
};

constexpr std::array kLockBrief{
    HelpGroup{.title = "When it is busy", .options = "no-wait|wait|busy-code|fail-open"},
    HelpGroup{.title = "What is locked", .options = "shared|path|file|reason"},
    HelpGroup{.title = "Leases", .options = "ttl|on-lost"},
};

}  // namespace

constinit const CommandSpec kLockCommand{
    .name = "lock",
    .summary = "run a command under a lock",
    .description = kLockDescription,
    .options = kLockOptions,
    .arguments = kLockArguments,
    .trailing = Trailing::kMoreWords,
    .examples = kLockExamples,
    .exits = kLockExits,
    .json_fields = kLockFields,
    .brief = kLockBrief,
    .run = run_lock,
};

}  // namespace holdfast::cli
