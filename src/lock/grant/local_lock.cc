// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/local_lock.h"

#include <atomic>

#include "lock/grant/by_token.h"
#include "lock/grant/identity.h"
#include "lock/grant/slots.h"
#include "lock/ledger/exclusion_trial.h"
#include "lock/ledger/freed.h"
#include "os/file/stat_without_times.h"
#include "os/process/pid.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {
namespace {

Error usage(const std::string& label, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kUsage,
          .op = "lock",
          .subject = label,
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

// Between threads of one process: what one did under a lock happens before what the next one does
// under it. The kernel orders the two, but the language knows only its own atomics.
std::atomic<unsigned> g_released{0};

}  // namespace

LocalLock::LocalLock(Place place, const FenceHome& fences, const Clock& clock, EventSink* events)
    : seat_{.place = std::move(place)},
      fences_(fences),
      clock_(clock),
      events_(events, seat_.place.label) {}

LocalLock::~LocalLock() {
  if (!grant_) return;
  const auto released = release();
  static_cast<void>(released);  // closing the files gives life back; the record is then stale
}

// The chain is a claim of the environment; only the ledger makes it true.
Result<bool> LocalLock::reenter(const LockChain& chain, LockMode mode, AcquireOutcome& outcome) {
  for (const ChainEntry& entry : chain) {
    if (entry.ledger != seat_.place.ledger_path) continue;
    const auto ledger = HF_TRY(Ledger::open(seat_.place));
    if (!ledger) continue;
    const LockRecord record = HF_TRY(ledger->read()).record;
    if (record.state != LockState::kHeld) continue;
    if (record.mode == LockMode::kExclusive) {
      if (record.token != entry.token) continue;
    } else {
      bool ours = false;
      for (const Reader& reader : HF_TRY(list_readers(*ledger))) {
        ours = ours || reader.facts.token == entry.token;
      }
      if (!ours) continue;
      if (mode == LockMode::kExclusive) {
        outcome.kind = AcquireOutcome::Kind::kDeadlock;
        outcome.detail =
            "this process already runs under it as a reader, and would wait for itself";
        return true;
      }
    }
    grant_ = Grant{.token = entry.token, .fence = record.generation, .mode = record.mode};
    if (record.ttl_ns != 0) {
      grant_->ttl = Duration(record.ttl_ns);
      grant_->deadline = BootTime(Duration(record.deadline_ns));
    }
    reentered_ = true;
    outcome.kind = AcquireOutcome::Kind::kReentered;
    return true;
  }
  return false;
}

Result<AcquireOutcome> LocalLock::acquire(const AcquireRequest& request) {
  if (grant_) return fail(usage(label(), "already-held", "this seat holds it already"));
  if (request.ttl && request.mode == LockMode::kShared)
    return fail(usage(label(), "shared-lease", "a shared lock has no lease"));
  if (request.binding == LockBinding::kTtl && !request.ttl)
    return fail(usage(label(), "no-ttl", "a lock that is bound to no process needs a ttl"));
  if (request.binding == LockBinding::kTtl && seat_.place.sidecar) {
    return fail(usage(label(), "ttl-on-sidecar",
                      std::string("the lock of a file is the flock of ") +
                          (seat_.place.is_path ? "it" : "the file beside it") +
                          ", which needs a process that holds it"));
  }
  const bool replaces = request.on_expired == OnExpired::kReplace || request.presume_dead;
  if (seat_.place.is_path && replaces) {
    return fail(usage(label(), "replace-of-a-path",
                      "it is a file of yours, which is locked and never replaced; only the lock "
                      "file beside a file (--file) can be"));
  }
  if (seat_.ledger && holder_process_ != os::process_mark()) seat_.close();
  holder_process_ = os::process_mark();
  AcquireOutcome again;
  if (!request.chain.empty() && HF_TRY(reenter(request.chain, request.mode, again))) return again;

  const proc::Identity own = HF_TRY(proc::own_identity());
  Attempt attempt(seat_, request, fences_, clock_, events_, own);
  auto outcome = attempt.run();
  if (!outcome || outcome->kind != AcquireOutcome::Kind::kGranted) return outcome;
  static_cast<void>(g_released.load(std::memory_order_acquire));
  grant_ = attempt.granted().grant;
  epoch_ = attempt.granted().epoch;
  reader_slot_ = attempt.granted().reader_slot;
  // A lock that no process holds: whoever comes next must find life free.
  if (request.binding == LockBinding::kTtl) seat_.give_life_back(epoch_);
  return outcome;
}

// By path and not by the open file alone: a ledger that lost its name excludes nobody.
Result<const LockRecord*> LocalLock::own_record(const Guard& guard) {
  return HF_TRY(seat_.is_named()) ? recorded_as_ours(guard) : nullptr;
}

Result<const LockRecord*> LocalLock::recorded_as_ours(const Guard& guard) {
  const LockRecord& now = HF_TRY(seat_.ledger->peek(guard))->record;
  const bool held = now.state == LockState::kHeld && now.generation == grant_->fence;
  if (!held || now.mode != grant_->mode) return nullptr;
  if (grant_->mode == LockMode::kExclusive) return now.token == grant_->token ? &now : nullptr;
  for (const Reader& reader : HF_TRY(list_readers(*seat_.ledger))) {
    if (reader.slot == reader_slot_ && reader.facts.token == grant_->token) return &now;
  }
  return nullptr;
}

Result<Owned> LocalLock::set_work(const ProcessIdentity& work) {
  return set_processes(work, nullptr);
}

Result<Owned> LocalLock::hand_over(const ProcessIdentity& work, const ProcessIdentity& keeper) {
  return set_processes(work, &keeper);
}

Result<Owned> LocalLock::take_up(const ProcessIdentity& work) {
  if (!HF_TRY(Ledger::open(seat_.place))) return Owned::kLost;
  holder_process_ = os::process_mark();
  HF_TRY(seat_.open(fences_, clock_));
  const Guard guard = HF_TRY(seat_.ledger->guard());
  if (!HF_TRY(seat_.is_named())) return Owned::kLost;
  LockRecord next = HF_TRY(seat_.ledger->read(guard)).record;
  const bool held = next.state == LockState::kHeld && next.mode == LockMode::kExclusive;
  if (!held || next.work != work) return Owned::kLost;
  if (proc::judge(from_record(next.keeper)).life != proc::Life::kDead) return Owned::kLeft;
  ++next.epoch;
  next.keeper = to_record(HF_TRY(proc::own_identity()));
  next.changed_ns = to_nanoseconds(clock_.wall());
  const Grant grant{.token = next.token, .fence = next.generation, .mode = next.mode};
  const std::uint64_t epoch = next.epoch;
  if (!HF_TRY(seat_.take_life(epoch, os::Share::kExclusive)))
    return fail(usage(label(), "life-taken", "somebody has a byte that nobody was given"));
  HF_TRY(seat_.ledger->tell_waiters(guard));
  HF_TRY(seat_.ledger->write(guard, std::move(next)));
  grant_ = grant;
  epoch_ = epoch;
  work_ = work;
  return Owned::kYes;
}

void LocalLock::carry_on() { holder_process_ = os::process_mark(); }

Result<const os::SharedWord*> LocalLock::moved() { return seat_.ledger->moved(); }

Result<Owned> LocalLock::set_processes(const ProcessIdentity& work, const ProcessIdentity* keeper) {
  const Guard guard = HF_TRY(seat_.ledger->guard());
  const auto* now = HF_TRY(own_record(guard));
  if (now == nullptr) return Owned::kLost;
  if (grant_->mode == LockMode::kShared) {
    for (Reader& reader : HF_TRY(list_readers(*seat_.ledger))) {
      if (reader.slot != reader_slot_) continue;
      reader.facts.work = work;
      HF_TRY(rewrite_reader_slot(*seat_.ledger, guard, reader.slot, reader.facts));
    }
    return Owned::kYes;
  }
  LockRecord next = *now;
  next.work = work;
  work_ = work;
  if (keeper != nullptr) next.keeper = *keeper;
  next.changed_ns = to_nanoseconds(clock_.wall());
  HF_TRY(seat_.ledger->write(guard, std::move(next)));
  return Owned::kYes;
}

Result<Owned> LocalLock::renew(Beat beat) {
  if (!grant_ || reentered_) return fail(usage(label(), "not-held", "this seat does not hold it"));
  // A renewal that comes too late is none: the wait for GUARD is a part of the lease.
  const Duration patience =
      grant_->ttl ? std::min(kGuardPatience, *grant_->ttl / 6) : kGuardPatience;
  const Guard guard = HF_TRY(seat_.ledger->guard(patience));
  const auto* now = HF_TRY(own_record(guard));
  if (now == nullptr) return Owned::kLost;
  const BootTime at = clock_.boot();
  LockRecord next = *now;
  next.beat_ns = to_nanoseconds(at);
  if (beat == Beat::kProgress) next.progress_ns = to_nanoseconds(at);
  if (next.ttl_ns != 0) {  // as it is by now: somebody with the token may have changed it
    grant_->ttl = Duration(next.ttl_ns);
    grant_->deadline = at + *grant_->ttl;
    next.deadline_ns = to_nanoseconds(*grant_->deadline);
    if (next.deadline_ns < now->deadline_ns) HF_TRY(seat_.ledger->tell_waiters(guard));
  }
  HF_TRY(seat_.ledger->write(guard, std::move(next)));
  return Owned::kYes;
}

Result<Owned> LocalLock::check() {
  if (!grant_) return Owned::kLost;
  if (reentered_) {
    const TokenResult held = HF_TRY(check_by_token(seat_.place, grant_->token, clock_));
    return held.answer == TokenAnswer::kDone ? Owned::kYes : Owned::kLost;
  }
  const Guard guard = HF_TRY(seat_.ledger->guard());
  return HF_TRY(own_record(guard)) != nullptr ? Owned::kYes : Owned::kLost;
}

Result<Owned> LocalLock::release_shared(const Guard& guard, const LockRecord& now) {
  // Whoever waits on the newer epoch waits for this reader, not for its byte.
  if (now.epoch != epoch_) HF_TRY(seat_.ledger->tell_waiters(guard));
  HF_TRY(clear_reader_slot(*seat_.ledger, guard, *reader_slot_));
  // A slot that is filled belongs to a reader that has not released. Whether it lives is for the
  // next writer to judge; here it is enough that it may.
  if (!HF_TRY(list_readers(*seat_.ledger)).empty()) return Owned::kYes;
  const proc::Identity own = HF_TRY(proc::own_identity());
  HF_TRY(seat_.ledger->write(guard, freed(now, LockCause::kReleased, now.epoch, own, clock_)));
  return Owned::kYes;
}

// A run below us has bound the lock to its command (by_token.h), and that may still be at work.
bool LocalLock::is_for_another(const LockRecord& now) const {
  if (!work_ || now.mode != LockMode::kExclusive || now.work == *work_) return false;
  return proc::judge(from_record(now.work)).life != proc::Life::kDead;
}

// With our token, by somebody else: what we want is done already.
Result<bool> LocalLock::was_released(const Guard& guard) {
  if (!HF_TRY(seat_.is_named())) return false;
  const LockRecord record = HF_TRY(seat_.ledger->read(guard)).record;
  if (record.generation != grant_->fence) return false;
  if (record.state == LockState::kFree) return record.cause == LockCause::kReleased;
  // Of several readers: our slot is ours no more, and the others read on.
  return record.mode == LockMode::kShared && grant_->mode == LockMode::kShared;
}

// Where life and GUARD are of one description, the record turns free first, and one call gives both
// back: who gets life finds GUARD free and the record as it will stay. Death before that call drops
// both in the kernel (or leaves both with a leaked copy, as death in GUARD always does).
//
// Where life has a description of its own, which a child inherits, it is given back first, but
// under GUARD: a contender that gets it waits there, and finds a free record. The other way round,
// death between the two steps would leave a free record whose life a leaked descriptor still holds.
//
// That the ledger was deleted or replaced is told here, too, but not by its path: whoever releases
// excludes nobody any more, and half of the price of that look is for a ledger that was moved away.
//
// If the write fails, the record names work that lives, and contenders wait for its end.
Result<Owned> LocalLock::release() {
  if (!grant_) return fail(usage(label(), "not-held", "this seat does not hold it"));
  const Grant grant = *grant_;
  const bool reentered = reentered_;
  if (holder_process_ != os::process_mark()) {  // a child by fork: not the holder
    forget();
    return Owned::kLost;
  }
  if (reentered) {
    forget();
    return Owned::kYes;
  }
  g_released.fetch_add(1, std::memory_order_release);
  bool life_given_back = false;
  const auto write_free = [&]() -> Result<Owned> {
    Guard guard = HF_TRY(seat_.ledger->guard());
    const auto* now = HF_TRY(seat_.has_name()) ? HF_TRY(recorded_as_ours(guard)) : nullptr;
    if (now == nullptr) return HF_TRY(was_released(guard)) ? Owned::kYes : Owned::kLost;
    if (is_for_another(*now)) return Owned::kLeft;
    const proc::Identity own = HF_TRY(proc::own_identity());
    const bool in_one_step = seat_.life_is_on_ledger() && grant.mode == LockMode::kExclusive;
    if (!in_one_step) {
      seat_.give_life_back(epoch_);
      life_given_back = true;
    }
    if (grant.mode == LockMode::kShared) return release_shared(guard, *now);
    const bool denied = !in_one_step && seat_.others_have_life(epoch_);
    if (denied) HF_TRY(seat_.ledger->tell_waiters(guard));
    LockRecord next = freed(*now, LockCause::kReleased, now->epoch + (denied ? 1 : 0), own, clock_);
    HF_TRY(seat_.ledger->write(guard, std::move(next)));
    if (!in_one_step) return Owned::kYes;
    life_given_back = true;
    if (!guard.drop_with_life(epoch_)) seat_.close();
    return Owned::kYes;
  };
  auto owned = write_free();
  if (owned && *owned == Owned::kLeft) {
    leave();
    return owned;
  }
  if (!life_given_back) seat_.give_life_back(epoch_);
  forget();
  if (!owned) return owned;
  if (*owned == Owned::kYes) {
    events_.released(grant);
  } else {
    events_.lost(grant, "release");
    seat_.close();
  }
  return owned;
}

void LocalLock::leave() {
  if (!reentered_) seat_.close();
  forget();
}

void LocalLock::forget() {
  grant_.reset();
  reader_slot_.reset();
  work_.reset();
  reentered_ = false;
}

ChainEntry LocalLock::chain_entry() const {
  return {.kind = seat_.place.kind,
          .token = grant_->token,
          .fence = grant_->fence,
          .ledger = seat_.place.ledger_path};
}

os::NativeHandle LocalLock::life() const {
  return seat_.ledger ? seat_.life() : os::HandleTraits::nothing();
}

os::NativeHandle LocalLock::not_for_children() const {
  return seat_.ledger ? seat_.ledger->file().native() : os::HandleTraits::nothing();
}

Result<Place> LocalBackend::place_of(const LockId& id) const {
  if (id.kind == LockId::Kind::kFile) return file_place(id.text, any_);
  const std::scoped_lock held(mutex_);
  // Another directory by now, where somebody has put one in its place.
  if (!known_ || HF_TRY(os::id_of_path(locks_.path())) != known_->id) {
    auto locks = std::make_shared<const os::Dir>(HF_TRY(os::Dir::open(locks_.path())));
    known_ = HF_TRY(look_at_locks_dir(*locks, any_));
    dir_ = std::move(locks);
  }
  if (id.kind == LockId::Kind::kPath) return path_place(dir_, *known_, id.text, any_);
  return named_place(dir_, *known_, id.text);
}

Result<std::unique_ptr<Lock>> LocalBackend::open(const LockId& id) {
  Place place = HF_TRY(place_of(id));
  if (!place.trusted) HF_TRY(try_exclusion(place));
  return std::make_unique<LocalLock>(std::move(place), fences_, clock_, events_);
}

Result<AcquiredSlot> LocalBackend::acquire_slot(const SlotsRequest& slots,
                                                const AcquireRequest& request) {
  SlotOutcome got = HF_TRY(lock::acquire_slot(*this, clock_, events_, slots, request));
  return AcquiredSlot{.lock = std::move(got.lock), .outcome = std::move(got.outcome)};
}

Result<bool> LocalBackend::has_ledger(const LockId& id) {
  const Place place = HF_TRY(place_of(id));
  return HF_TRY(place.dir->id_of(place.ledger)).has_value();
}

}  // namespace holdfast::lock
