// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/retire.h"

#include <algorithm>

#include "lock/ledger/freed.h"
#include "lock/ledger/layout.h"
#include "lock/ledger/ledger.h"
#include "lock/ledger/seat.h"
#include "lock/ledger/status.h"
#include "os/lock/byte_lock.h"
#include "proc/identity/identity.h"

namespace holdfast::lock {
namespace {

bool is_unchanged_for(const LockRecord& record, Duration idle, const Clock& clock) {
  const Duration since = clock.wall().time_since_epoch() - Duration(record.changed_ns);
  return since >= idle;
}

// Under GUARD. GUARD alone excludes every grant; who waits, or holds life on its way to GUARD,
// would only be sent round once more, so such a lock is left alone.
Result<bool> is_unused(const Ledger& ledger, const Place& place) {
  if (HF_TRY(os::is_any_byte_taken(ledger.file(), kNoteByte))) return false;
  return !HF_TRY(is_any_life_denied(place));
}

// The looks decide only whether it is tried; taking it judges again, as for everybody.
Result<> free_if_holder_died(LocalBackend& backend, const LockId& id, Duration idle,
                             const Clock& clock) {
  const Place place = HF_TRY(backend.place_of(id));
  const auto ledger = HF_TRY(Ledger::open(place));
  if (!ledger) return {};
  const LockRecord seen = HF_TRY(ledger->read()).record;
  if (seen.state != LockState::kHeld || !is_unchanged_for(seen, idle, clock)) return {};
  const LockStatus status = HF_TRY(look_at_lock(place, clock));
  if (status.state != Visible::kStale || status.binding == LockBinding::kTtl) return {};
  const auto lock = HF_TRY(backend.open(id));
  AcquireRequest request;
  request.wait = Duration::zero();
  request.command = "holdfast gc";
  const AcquireOutcome outcome = HF_TRY(lock->acquire(request));
  if (outcome.kind != AcquireOutcome::Kind::kGranted) return {};
  HF_TRY(lock->release());
  return {};
}

}  // namespace

// The mark is raised before GUARD is taken, because it may be synced. The record that was seen
// then is still there under GUARD, or nothing is done.
Result<bool> retire_if_idle(const Place& place, const FenceHome& fences, Duration idle,
                            const Clock& clock) {
  auto ledger = HF_TRY(Ledger::open(place));
  if (!ledger) return false;
  const LockRecord seen = HF_TRY(ledger->read()).record;
  if (seen.state != LockState::kFree || !is_unchanged_for(seen, idle, clock)) return false;
  const std::uint64_t reached = std::max(seen.generation, HF_TRY(ledger->mark()));
  if (HF_TRY(fences.mark()) < reached) HF_TRY(fences.raise(reached));
  const proc::Identity own = HF_TRY(proc::own_identity());

  const Guard guard = HF_TRY(ledger->guard());
  NewestRecord now = HF_TRY(ledger->read(guard));
  if (now.record.seq != seen.seq || !HF_TRY(is_unused(*ledger, place))) return false;
  if (!HF_TRY(ledger->is_named(place))) return false;
  LockRecord retired = freed(now.record, LockCause::kRetiredIdle, now.record.epoch, own, clock);
  retired.state = LockState::kRetired;
  HF_TRY(ledger->tell_waiters(guard));
  HF_TRY(ledger->write(guard, now, std::move(retired)));
  HF_TRY(place.dir->remove_file(place.ledger));
  return true;
}

Result<Retired> retire_idle_locks(LocalBackend& backend, Duration idle, const Clock& clock,
                                  const std::function<bool()>& go_on) {
  std::vector<std::string> names;
  HF_TRY(each_lock_name(
      backend.dir(), [&](std::string name) { names.push_back(std::move(name)); },
      [](const std::string&) {}));
  Retired done;
  for (std::string& name : names) {
    if (!go_on()) break;
    const LockId id{.kind = LockId::Kind::kNamed, .text = std::move(name)};
    const auto retired = [&]() -> Result<bool> {
      HF_TRY(free_if_holder_died(backend, id, idle, clock));
      return retire_if_idle(HF_TRY(backend.place_of(id)), backend.fences(), idle, clock);
    }();
    if (!retired) {
      done.failed.push_back(to_sentence(retired.error()));
    } else if (*retired) {
      ++done.ledgers;
    }
  }
  return done;
}

}  // namespace holdfast::lock
