// SPDX-License-Identifier: Apache-2.0
//
// The locks of this machine: LocalBackend and its seats. backend.h says what they promise.
//
// A seat keeps its files open between two grants, so that the second costs no open. It must not
// outlive its backend, nor the backend the clock and the sink.
//
// Events: trace for free locks coming and going, event for recoveries and refusals, decision before
// anything is taken. Without a sink nothing is recorded, and nothing can be taken.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/event.h"
#include "lock/grant/attempt.h"
#include "lock/grant/backend.h"
#include "lock/grant/events.h"
#include "lock/ledger/fence_home.h"
#include "lock/ledger/seat.h"
#include "os/dir/dir.h"

namespace holdfast::lock {

class LocalLock final : public Lock {
 public:
  LocalLock(Place place, const FenceHome& fences, const Clock& clock, EventSink* events);
  LocalLock(const LocalLock&) = delete;
  LocalLock& operator=(const LocalLock&) = delete;
  LocalLock(LocalLock&&) = delete;
  LocalLock& operator=(LocalLock&&) = delete;
  ~LocalLock() override;

  Result<AcquireOutcome> acquire(const AcquireRequest& request) override;
  Result<Owned> set_work(const ProcessIdentity& work) override;
  Result<Owned> renew(Beat beat) override;
  Result<Owned> check() override;
  Result<Owned> release() override;
  void leave() override;
  [[nodiscard]] const std::optional<Grant>& grant() const override { return grant_; }
  [[nodiscard]] const std::string& ledger_path() const override { return seat_.place.ledger_path; }
  [[nodiscard]] ChainEntry chain_entry() const override;
  [[nodiscard]] os::NativeHandle life() const override;
  [[nodiscard]] os::NativeHandle not_for_children() const override;
  [[nodiscard]] const std::string& label() const override { return seat_.place.label; }
  [[nodiscard]] const Place& place() const { return seat_.place; }
  // Where its events go from here on.
  void tell(EventSink* events) { events_ = LockEvents(events, seat_.place.label); }

  // For a keeper (keeper.h), a child by fork that goes on with this seat. hand_over, in the parent:
  // the lock is for `work` from now on, and `keeper` holds life; one step. carry_on, in the child:
  // its copy of the seat is the holder as well. Until the parent has left, only one of the two may
  // use it.
  Result<Owned> hand_over(const ProcessIdentity& work, const ProcessIdentity& keeper);
  void carry_on();
  // For the new supervisor of an orphan: this seat holds what a process that is dead by now held
  // for `work`. Token and fence stay, so whoever runs under it goes on; the epoch rises, so that
  // those who wait for the end of the work wait for this seat. Named, exclusive locks only.
  // kLost: it is not held for `work` any more. kLeft: its holder lives, and still has it.
  // Death before the record is written changes nothing; behind it the work decides again.
  Result<Owned> take_up(const ProcessIdentity& work);
  // Changes when the record was changed by somebody who does not have life. Only while it is held.
  Result<const os::SharedWord*> moved();

 private:
  Result<bool> reenter(const LockChain& chain, LockMode mode, AcquireOutcome& outcome);
  // The record where it is still ours, under `guard`; else null. Valid until it is written.
  Result<const LockRecord*> own_record(const Guard& guard);
  // The same, wherever the ledger's name leads.
  Result<const LockRecord*> recorded_as_ours(const Guard& guard);
  Result<bool> was_released(const Guard& guard);
  Result<Owned> release_shared(const Guard& guard, const LockRecord& now);
  [[nodiscard]] bool is_for_another(const LockRecord& now) const;
  Result<Owned> set_processes(const ProcessIdentity& work, const ProcessIdentity* keeper);
  void forget();

  Seat seat_;
  const FenceHome& fences_;
  const Clock& clock_;
  LockEvents events_;
  std::optional<Grant> grant_;
  std::uint64_t epoch_ = 0;
  std::optional<std::size_t> reader_slot_;
  std::optional<ProcessIdentity> work_;  // whom this seat has bound it to
  bool reentered_ = false;
  std::int64_t holder_process_ = 0;  // process_mark of who acquired
};

class LocalBackend final : public LockBackend {
 public:
  // `locks` is HOME/locks; it must outlive the backend.
  LocalBackend(const os::Dir& locks, const Clock& clock, EventSink* events,
               AnyFileSystem any = AnyFileSystem::kRefuse)
      : locks_(locks), fences_(locks), clock_(clock), events_(events), any_(any) {}

  Result<std::unique_ptr<Lock>> open(const LockId& id) override;
  Result<bool> has_ledger(const LockId& id) override;
  Result<AcquiredSlot> acquire_slot(const SlotsRequest& slots,
                                    const AcquireRequest& request) override;
  Result<Place> place_of(const LockId& id) const;
  [[nodiscard]] const FenceHome& fences() const { return fences_; }
  [[nodiscard]] const os::Dir& dir() const { return locks_; }

 private:
  const os::Dir& locks_;
  FenceHome fences_;
  const Clock& clock_;
  EventSink* events_;
  AnyFileSystem any_;
  mutable std::mutex mutex_;
  mutable std::optional<LocksDir> known_;       // of `locks_`
  mutable std::shared_ptr<const os::Dir> dir_;  // its seats have it, too
};

}  // namespace holdfast::lock
