// SPDX-License-Identifier: Apache-2.0
#include "cli/file/file_options.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_acquire.h"
#include "cli/lock/lock_options.h"
#include "cli/lock/lock_owner.h"
#include "proc/identity/process_facts.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> run_acquire(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const lock::LockId id = HF_TRY(lock_id(args));
  if (HF_TRY(is_keeper(context, args, clock))) return to_int(ExitCode::kDone);
  lock::AcquireRequest request = HF_TRY(acquire_request(args, id));
  note_file_of_that_name(context, id);
  HF_TRY(check_owner_options(args));
  auto owner = HF_TRY(owner_option(args));
  request.binding = owner ? LockBinding::kOwner : LockBinding::kTtl;
  if (owner) request.command = proc::program_of(owner->identity.pid);

  HF_TRY(fail_open_reasons(args));
  Trying tried{.label = id.kind == lock::LockId::Kind::kFile ? "file:" + id.text : id.text};
  if (const auto got = try_to_acquire(context, args, id, clock, owner, request, tried); !got) {
    const auto open =
        HF_TRY(go_on_without(context, args, tried, run::fail_open_reason(got.error())));
    return open ? Result<int>(*open) : fail(got.error());
  }
  const lock::AcquireOutcome& outcome = tried.outcome;
  if (!outcome.granted()) {
    const bool busy = outcome.kind == lock::AcquireOutcome::Kind::kBusy;
    const auto reason = busy ? run::fail_open_reason({.cause = outcome.busy_reason}) : std::nullopt;
    if (const auto open = HF_TRY(go_on_without(context, args, tried, reason))) return *open;
    return not_acquired(context, tried.label, outcome, owner ? &owner->identity : nullptr);
  }
  lock::LocalLock& lock = *tried.lock;

  context.emit(acquired_json(lock, outcome, owner ? &owner->identity : nullptr, clock));
  if (outcome.kind == lock::AcquireOutcome::Kind::kReentered) {
    context.note("the caller already runs under this lock: it is the same hold and token");
    context.print(to_hex(lock.grant()->token) + "\n");
    lock.leave();
    return to_int(ExitCode::kDone);
  }
  note_how(context, outcome);
  HF_TRY(hand_out(context, lock, args, std::move(owner)));
  flush_events(context);
  return to_int(ExitCode::kDone);
}

constexpr std::array kAcquireOpenOption{kFailOpenOption};
constexpr auto kAcquireCommandOptions =
    joined(joined(kAcquireOpenOption, kOwnerOptions), kAcquireOptions);
constexpr std::array kAcquireArguments{kLockNameArgument};

constexpr std::array kAcquireExamples{
    Example{
        .line = "T=$(holdfast acquire deploy) || exit",
        .says = "In a script: hold a lock from here on, for at most as long as the script lives"},
    Example{.line = "holdfast release deploy --token \"$T\"",
            .says = "And release it before the end"},
    Example{.line = "T=$(holdfast acquire --file config.json -w 1m --reason 'nightly')",
            .says = "The lock of a file; wait up to a minute, and say what for"},
    Example{.line = "T=$(holdfast acquire report --owner none --ttl 10m)",
            .says = "A lock that outlives the script, for ten minutes"},
};

constexpr std::array kAcquireExits{
    ExitNote{ExitCode::kUsage,
             "also if the owner cannot be told (name it with --owner $$), or is outside of the run "
             "that this is called in"},
    ExitNote{ExitCode::kCorrupt, "the record of the lock is damaged; see `holdfast break`"},
    ExitNote{ExitCode::kCannotTell, "whether its last holder lives cannot be told"},
    ExitNote{ExitCode::kSurvivors, "--on-expired kill left something alive; it is not acquired"},
    ExitNote{ExitCode::kIo,
             "the token could not be written, and nothing is held; with --json it is held until "
             "the owner ends"},
    ExitNote{ExitCode::kBusy, "held by another, who is named; or waiting would never end"},
    ExitNote{ExitCode::kRefused, "the lock's file is not safe to use"},
};

constexpr std::array kAcquireFields{
    JsonField{"lock", "NAME (of a path the absolute one), or `file:` and the absolute path"},
    JsonField{"token", "the secret that renews, checks and releases it; null without the lock"},
    JsonField{"open_reason", "why the script goes on without the lock, with --fail-open"},
    JsonField{"fence", "a number that rises with every grant of this lock"},
    JsonField{"deadline", "when the lease runs out if nobody renews it; null without a lease"},
    JsonField{"owner", "the identity of the process that it is bound to; null for none"},
    JsonField{"mode", "`exclusive` or `shared`"},
    JsonField{"ttl_ms", "the length of the lease; null without one"},
    JsonField{"cause", "why it was granted: `fresh`, `dead`, `rebooted`, `expired`, `replaced`"},
    JsonField{"evidence", "what proved that; null for a free lock"},
    JsonField{"reentered", "the caller already ran under it: nothing was changed"},
    JsonField{"waited_ms", "how long it took"},
    JsonField{"holder", "of a busy lock: who holds it, as in `locks`"},
};

constexpr std::array kAcquireBrief{
    HelpGroup{.title = "When it is busy", .options = "no-wait|wait|fail-open"},
    HelpGroup{.title = "What is locked, for whom", .options = "shared|file|owner|reason"},
    HelpGroup{.title = "Leases", .options = "ttl|auto-renew"},
};

}  // namespace

constinit const CommandSpec kAcquireCommand{
    .name = "acquire",
    .summary = "take a lock for the lines of a script that follow",
    .description =
        "Takes the lock NAME, or with --file the lock of a file, and prints its token. The lock is "
        "held for the calling shell (also in `$(…)`), by a small process in the background, its "
        "keeper. When the shell ends, in whatever way, the lock is free at once; `holdfast "
        "release` frees it before.\n\n"
        "Without --ttl nobody can take the lock from a shell that lives. With it, the script "
        "renews the lease with `holdfast renew`, and others may take the lock when it was silent "
        "for longer, as far as --yields goes. `holdfast check` says whether it is still held.\n\n"
        "The token is a secret: who has it can release the lock. Commands that want it also read "
        "it from HOLDFAST_TOKEN or from a file, as arguments can be read by others. If a signal "
        "ends `acquire` after it has printed the token, the lock is held all the same: release it "
        "with that token, or it is free when the shell ends.\n\n"
        "The keeper takes no notice of TERM, INT and HUP while the shell lives. If it is killed, "
        "the lock stays with the shell: nobody else gets it while the shell lives; but programs "
        "that only flock the file of --file do. The keeper ends with the run that it was started "
        "in, so inside a run an owner outside of it is refused.\n\n"
        "With --fail-open, if acquiring the lock fails for a listed reason, it exits with 0 and "
        "prints "
        "no token; the event `lock.fail_open` is on stable storage first. Release only a token "
        "that "
        "is not empty.\n\n"
        "Under `holdfast lock` of the same lock it is the same hold, if the owner runs under it "
        "too; for another owner, or none, the lock is busy.",
    .options = kAcquireCommandOptions,
    .arguments = kAcquireArguments,
    .examples = kAcquireExamples,
    .exits = kAcquireExits,
    .json_fields = kAcquireFields,
    .brief = kAcquireBrief,
    .run = run_acquire,
};

}  // namespace holdfast::cli
