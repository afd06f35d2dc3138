// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_by_token.h"
#include "cli/lock/lock_view.h"
#include "lock/ledger/status.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

using lock::LockStatus;
using lock::Visible;

int locks_code_of(const LockStatus& status) {
  return to_int(status.state == Visible::kUnknown ? ExitCode::kCannotTell : ExitCode::kDone);
}

Result<int> show_one(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const FoundLock lock = HF_TRY(find_lock(context, args));
  LockStatus status{.label = lock.label, .evidence = "never-used"};
  if (lock.place) status = HF_TRY(lock::look_at_lock(*lock.place, clock));
  name_waiting_sessions(status, context.runtime());
  context.emit(status_json(status));
  context.print(status_text(context, status, clock.wall()));
  return locks_code_of(status);
}

// One lock that cannot be looked at does not hide the others.
LockStatus locks_look(const lock::LocalBackend& locks, const std::string& name,
                      const Clock& clock) {
  const auto looked = [&]() -> Result<LockStatus> {
    const lock::LockId id{.kind = lock::LockId::Kind::kNamed, .text = name};
    return lock::look_at_lock(HF_TRY(locks.place_of(id)), clock);
  }();
  if (looked) return *looked;
  return {.label = name, .state = Visible::kUnknown, .evidence = looked.error().cause};
}

Result<int> show_all(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const auto* locks = HF_TRY(context.runtime().find_locks(lock::AnyFileSystem::kAllow));
  std::vector<std::string> names;
  if (locks != nullptr) {
    HF_TRY(lock::each_lock_name(
        locks->dir(), [&](std::string name) { names.push_back(std::move(name)); },
        [](const std::string&) {}));
  }
  std::ranges::sort(names);
  const auto wanted = args.text("state");
  std::vector<LockStatus> shown;
  std::size_t free = 0;
  for (const std::string& name : names) {
    LockStatus status = locks_look(*locks, name, clock);
    if (wanted ? to_text(status.state) != *wanted
               : status.state == Visible::kFree && !args.flag("all")) {
      free += status.state == Visible::kFree ? 1U : 0U;
      continue;
    }
    name_waiting_sessions(status, context.runtime());
    shown.push_back(std::move(status));
  }
  Json list = Json::array();
  for (const LockStatus& status : shown) list.push_back(status_json(status));
  context.emit({{"locks", std::move(list)}});
  if (!shown.empty()) context.print(status_table(context, shown, clock.wall()));
  if (names.empty()) context.note("no lock was ever used here");
  if (free != 0 && !wanted) context.note(std::to_string(free) + " free hidden (use --all)");
  return to_int(ExitCode::kDone);
}

Result<int> run_locks_here(Context& context, const Args& args) {
  const bool one = !args.arguments().empty() || args.text("file") || args.text("path");
  if (!one) return show_all(context, args);
  if (!args.flag("all") && !args.text("state")) return show_one(context, args);
  return fail(usage_error("conflict", "use", args.flag("all") ? "--all" : "--state",
                          "it is about the list of all locks, and one was named"));
}

constexpr std::array kLocksOptions{
    OptionSpec{.name = "all", .letter = 'a', .help = "also those that are free"},
    OptionSpec{.name = "state",
               .kind = OptionKind::kChoice,
               .value = "free|held|stale|unknown",
               .help = "only those in this state",
               .excludes = "all"},
    kLockFileOption, kLockPathOption};
constexpr std::array kLocksArguments{kLockNameArgument};

constexpr std::array kLocksExamples{
    Example{.line = "holdfast locks", .says = "Who holds what"},
    Example{.line = "holdfast locks deploy", .says = "All that is known of one lock"},
    Example{.line = "holdfast locks ./x.lock", .says = "Who has flocked a file, also without us"},
};

constexpr std::array kLocksExits{
    ExitNote{ExitCode::kDone, "shown; a lock that was never used is free"},
    ExitNote{ExitCode::kCannotTell, "of one lock: its state is `unknown`; what is known is shown"}};

constexpr std::array kLocksFields{
    JsonField{"locks", "without a name: a list of what follows, for each lock of the home"},
    JsonField{"name", "NAME (of a path the absolute one), or `file:` and the absolute path"},
    JsonField{"state", "`free`, `held`, `stale` (would be granted now) or `unknown`"},
    JsonField{"mode", "`exclusive` or `shared`; null where nobody holds it"},
    JsonField{"holder", "the first of `holders`, or null"},
    JsonField{"holders",
              "who holds it: `pid` (null in another pid namespace), `host`, `since`, `reason`, "
              "`command`, `foreign` (a plain flock, without a record) and `evidence`"},
    JsonField{"owner", "`pid` of the process that it is bound to by `acquire`; else null"},
    JsonField{"fence", "of the last grant; null where there was none"},
    JsonField{"ttl_ms", "the length of the lease; null without one"},
    JsonField{"left_ms", "what is left of it; negative where it has run out"},
    JsonField{"binding",
              "what it ends with: `exec` (a command), `lib` (a process), `owner`, `ttl`"},
    JsonField{"yields", "how far others may go when the lease has run out"},
    JsonField{"since_beat_ms", "since the last renewal"},
    JsonField{"since_progress_ms", "since the last `renew --progress`"},
    JsonField{"break_id", "what `break --id` takes; null where nobody holds it"},
    JsonField{"waiters", "who waits: `pid`, `mode`, `since`, `command`, `session`"},
    JsonField{"evidence", "a stable word: why the state is what it is"},
};

}  // namespace

constinit const CommandSpec kLocksCommand{
    .name = "locks",
    .summary = "show locks: who holds them, for how long, who waits",
    .description =
        "Shows the lock NAME, or with --file the lock of a file, or all named locks of the home "
        "that are not free. It changes nothing.\n\n"
        "`held`: somebody lives, in the kernel or by the identity in the record. `stale`: a holder "
        "is recorded, and the next who asks is granted the lock. `unknown`: the record cannot be "
        "read, or whether its holder lives cannot be told.\n\n"
        "The record of a path is of this home. Locks of files (--file) are beside them, not "
        "listed.",
    .options = kLocksOptions,
    .arguments = kLocksArguments,
    .examples = kLocksExamples,
    .exits = kLocksExits,
    .json_fields = kLocksFields,
    .run = run_locks_here,
};

}  // namespace holdfast::cli
