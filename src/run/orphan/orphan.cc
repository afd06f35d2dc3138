// SPDX-License-Identifier: Apache-2.0
//
// The lock of the name is held for the command, so behind a dead supervisor it is "held": its life
// is free, and its work lives. Nobody gets it by waiting, which is what keeps a second run away.
// Whoever takes care of the orphan breaks that hold, and only that one. The hostile interleavings:
//
// Two at once. Both see the hold of the dead, the first breaks it and gets the lock, the second
// breaks the *first one's* hold, and both own the session. So the id of the hold is read first,
// then its keeper, who must be proven dead, and the break is by that id: the lock compares it again
// at the moment of the change. If the hold was broken in between, the id is of no hold any more;
// had it been the first one's from the start, its keeper would have been alive.
//
// The supervisor dies just now. Its record may be newer than the one we read. So everything that is
// decided is decided on the record that is read after the lock is ours: a dead supervisor writes no
// more, and a living one holds the lock.
//
// Death in between: after the break the name is free and the record says what it said; the next one
// finds the same orphan. The record is what keeps a new run away then (run/orphan/old_run.h).
#include "run/orphan/orphan.h"

#include "base/cause.h"
#include "lock/grant/by_token.h"
#include "lock/ledger/ledger.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "run/lock/name_lock.h"
#include "run/session/conclusion.h"
#include "session/record/view.h"

namespace holdfast::run {
namespace {

// A new run that finds the orphan has its name for a moment and gives it back.
constexpr Duration kPassingPatience = std::chrono::seconds(1);

lock::LockId lock_of(const session::SessionDir& dir) {
  return {.kind = lock::LockId::Kind::kNamed, .text = name_lock_of(dir.name())};
}

Error taken(const session::SessionDir& dir, const lock::HolderView& holder) {
  std::string who = "somebody has its name";
  if (holder.pid) who = "process " + std::to_string(*holder.pid) + " has its name";
  if (!holder.command.empty()) who += " (" + holder.command + ")";
  return {.code = ErrorCode::kBusy,
          .op = "take care of the session",
          .subject = "'" + dir.name() + "'",
          .cause = "session-live",
          .detail = who + "; nothing was done"};
}

struct Hold {
  std::string id;
  ProcessIdentity keeper;
  ProcessIdentity work;
};

// nullopt: nobody is recorded as the holder.
Result<std::optional<Hold>> read_hold(const lock::Place& place) {
  auto ledger = HF_TRY(lock::Ledger::open(place));
  if (!ledger) return std::nullopt;
  auto id = HF_TRY(lock::break_id_of(*ledger));
  if (!id) return std::nullopt;
  const NewestRecord found = HF_TRY(ledger->read());
  return Hold{.id = *std::move(id), .keeper = found.record.keeper, .work = found.record.work};
}

// Where its keeper is dead.
Result<> break_hold(const OrphanServices& services, const lock::Place& place, const Hold& hold,
                    std::string_view why) {
  if (proc::judge(proc::from_record(hold.keeper)).life != proc::Life::kDead) return {};
  const std::string reason = std::string(why) + ": its supervisor is dead";
  HF_TRY(lock::break_lock(place, services.locks.fences(), hold.id, reason, services.clock,
                          &services.events));
  return {};  // also where somebody else was faster
}

Result<> note_orphaned(const OrphanServices& services, Orphan& orphan) {
  if (orphan.view.state != SessionState::kOrphaned) return {};
  if (orphan.record().state == SessionState::kOrphaned) return {};
  orphan.record().reason = orphan.view.evidence;
  HF_TRY(
      enter_state(orphan, orphan.record(), session::Event::kSupervisorGone, os::Durability::kFull));
  tell_of(services.events, "session.orphaned", orphan.record());
  return {};
}

}  // namespace

Result<> enter_state(const Orphan& orphan, SessionRecord& record, session::Event event,
                     os::Durability durability) {
  const auto state = session::next(record.state, event);
  if (!state) {
    return fail({.code = ErrorCode::kInternal,
                 .op = "change the session",
                 .subject = "'" + record.name + "'",
                 .cause = "no-such-step",
                 .detail = "from " + std::string(to_text(record.state)) + " nothing follows on '" +
                           std::string(session::to_text(event)) + "'"});
  }
  record.state = *state;
  return orphan.dir.write(record, durability);
}

Result<Orphan> own_orphan(const OrphanServices& services, session::SessionDir dir,
                          std::string_view why) {
  const lock::Place place = HF_TRY(services.locks.place_of(lock_of(dir)));
  const auto hold = HF_TRY(read_hold(place));
  auto name = HF_TRY(services.locks.open(lock_of(dir)));
  lock::AcquireRequest request;
  request.reason = std::string(why);
  request.command = "holdfast " + std::string(why);
  lock::AcquireOutcome outcome = HF_TRY(name->acquire(request));
  if (!outcome.granted() && hold) {
    HF_TRY(break_hold(services, place, *hold, why));
    request.wait = kPassingPatience;
    outcome = HF_TRY(name->acquire(request));
  }
  if (!outcome.granted()) return fail(taken(dir, outcome.holder));
  auto view = HF_TRY(session::look(dir));
  if (!view) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "find the session",
                 .subject = "'" + dir.name() + "'",
                 .cause = cause::kNoSuchSession,
                 .detail = "it has no record"});
  }
  Orphan orphan{.dir = std::move(dir), .name = std::move(name), .view = *std::move(view)};
  orphan.command_is_known =
      hold && orphan.record().command && *orphan.record().command == hold->work;
  HF_TRY(note_orphaned(services, orphan));
  return orphan;
}

void leave_orphan(Orphan& orphan, Leave how) {
  if (how == Leave::kStillThere && orphan.command_is_known) {
    const auto bound = orphan.name->set_work(*orphan.record().command);
    if (bound && *bound == lock::Owned::kYes) return orphan.name->leave();
  }
  const auto released = orphan.name->release();
  static_cast<void>(released);  // it goes with this process
}

}  // namespace holdfast::run
