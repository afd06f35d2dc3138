// SPDX-License-Identifier: Apache-2.0
//
// Attempt: one call of acquire, from the first try to the grant or the end of the time.
// docs/design/008-locks.md has the protocol; attempt.cc the order of its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cause.h"
#include "base/clock.h"
#include "base/result.h"
#include "lock/grant/backend.h"
#include "lock/grant/cycle.h"
#include "lock/grant/decide.h"
#include "lock/grant/events.h"
#include "lock/ledger/foreign.h"
#include "lock/ledger/readers.h"
#include "lock/ledger/seat.h"
#include "lock/ledger/wait_line.h"
#include "lock/ledger/waiters.h"
#include "proc/identity/identity.h"

namespace holdfast::lock {

// What a grant leaves in the seat's owner.
struct Granted {
  Grant grant;
  std::uint64_t epoch = 0;
  std::optional<std::size_t> reader_slot{};
};

// Is the record of an earlier boot of this machine? Machines without an id are told apart by their
// disks: a local file system is mounted by one kernel.
bool is_earlier_boot(const ProcessIdentity& work, const proc::Identity& own, const Place& place);

// Of a path that somebody holds in the kernel: is its record that of a dead holder? Then the flock
// may be that of another home or program, and naming the dead one would be wrong.
bool is_record_of_dead(const LockRecord& record, const Place& place);

class Attempt {
 public:
  Attempt(Seat& seat, const AcquireRequest& request, const FenceHome& fences, const Clock& clock,
          const LockEvents& events, const proc::Identity& own);

  // With an outcome that is kGranted, granted() is what was got. In every other case, errors
  // included, life was given back.
  Result<AcquireOutcome> run();
  [[nodiscard]] const Granted& granted() const { return granted_; }

 private:
  enum class Next : std::uint8_t {
    kDone,
    kAgain,
    kWait,
    kStartOver,  // the files were closed
  };

  // One look, and what follows from it.
  Result<Next> try_once();
  Result<Next> with_life(std::uint64_t epoch, std::optional<Guard> taken_along = {});
  Result<Next> respect_foreign_claim(std::uint64_t epoch);
  // nullopt: the sidecar was removed or replaced by its tool.
  Result<std::optional<ForeignClaim>> foreign_claim();
  Result<Next> recover(const NewestRecord& found, std::uint64_t epoch);
  Result<Next> without_life(const NewestRecord& found);
  Result<Next> unreadable(const Error& error);
  Result<Next> wait_behind_writer();
  Result<Next> leave_retired();
  bool is_orphaned(const LockRecord& record);
  bool nobody_goes_on(const LockRecord& record);
  void outlast_keeper();
  Result<Next> pass_by(const NewestRecord& found);

  // With life and GUARD, about a record that was read under it.
  // `now` is what was last read, and is gone once the record is written.
  Result<Next> grant(Guard guard, const NewestRecord& now, LockCause cause, std::uint64_t epoch);
  Result<Next> join(Guard guard, const NewestRecord& now, std::uint64_t epoch);
  Result<bool> take_slot(const Guard& guard, const LockRecord& record);
  enum class Written : std::uint8_t { kNo, kYes };
  void undo(const Guard& guard, Written record);
  Result<std::uint64_t> next_generation(const LockRecord& record);
  LockRecord record_of_grant(const LockRecord& before, LockCause cause);
  void finish(LockCause cause, std::uint64_t epoch, std::uint64_t fence);

  // Against somebody's will: the decision first.
  void forget_force_unless(const LockRecord& record);
  Result<bool> is_as_decided();
  [[nodiscard]] bool trusts_kernel() const;
  Result<> decide_to_take(const LockRecord& record, std::string_view evidence);
  Result<Next> take(const NewestRecord& found, std::uint64_t epoch, LockCause cause);
  Result<Next> kill(const LockRecord& record);
  [[nodiscard]] Result<Next> take_refused() const;
  [[nodiscard]] static bool is_left_by_its_owner(const LockRecord& record);
  [[nodiscard]] Result<Next> kill_refused(const LockRecord& record) const;
  Result<std::optional<Next>> replace(const NewestRecord& found, std::string_view evidence);
  Result<std::optional<Next>> presume_dead(const NewestRecord& found);

  // Looking.
  Seen look_at(const LockRecord& record, bool life_is_ours);
  Result<Seen> look_at_readers(const LockRecord& record);
  void judge_work(const ProcessIdentity& work, Seen& seen);
  bool watched_silence(const LockRecord& record);
  [[nodiscard]] HolderView holder_of(const LockRecord& record, std::string_view evidence) const;

  // Waiting.
  Result<Next> wait();
  Result<Next> prepare_to_wait();
  [[nodiscard]] LineKey line_key() const;
  void wait_for_life(std::uint64_t epoch);
  void look_again_soon();
  Result<bool> is_unlocked_late(const LockRecord& record);
  [[nodiscard]] bool blocks_on_life() const;
  Result<bool> try_briefly();
  [[nodiscard]] bool out_of_time() const;
  [[nodiscard]] std::optional<MonoTime> wake_at() const;
  void wake_at_deadline(const LockRecord& record, const Seen& seen);
  void reopen();
  Next end(AcquireOutcome::Kind kind, std::string_view reason = {});

  Seat& seat_;
  const AcquireRequest& request_;
  const FenceHome& fences_;
  const Clock& clock_;
  const LockEvents& events_;
  const proc::Identity& own_;
  os::Share share_;

  MonoTime begun_;
  std::optional<MonoTime> until_;
  std::string_view out_of_time_is_ = cause::kTimeout;  // or whose time it was: "budget"
  AcquireOutcome outcome_;
  Granted granted_;
  std::optional<std::uint64_t> life_epoch_;  // life that may be ours and is to be given back
  std::optional<std::uint64_t> doubtful_generation_;  // to go on from after a doubt,
  std::uint64_t doubtful_seq_ = 0;                    // about this record
  int rounds_ = 0;
  std::optional<std::uint64_t> decided_seq_;  // the record that we have decided to take
  std::uint64_t decided_generation_ = 0;
  std::optional<LockCause> forced_cause_;  // of the grant that follows a force
  std::string taken_evidence_;
  HolderView taken_from_;

  // Of the next sleep.
  os::BlockOn block_on_;
  os::Handle pidfd_;                          // of the process that is waited for
  os::Handle foreign_watch_;                  // tells of a change of the sidecar
  std::optional<std::uint64_t> reader_byte_;  // of the reader that is waited for
  std::optional<MonoTime> deadline_wake_;
  std::uint32_t moved_seen_ = 0;
  os::EndingHelper ending_;  // of the last sleep; the grant does not wait for its end

  // Of the whole wait.
  bool waiting_ = false;
  bool told_of_wait_ = false;
  std::optional<Turn> turn_;
  std::optional<WaiterSeat> waiter_;
  std::optional<CycleWatch> cycle_;
  bool stood_behind_writer_ = false;

  // A free lock whose life somebody has: since when.
  std::uint64_t idle_seq_ = 0;
  std::optional<MonoTime> idle_since_;

  // A holder on another clock: since when we have seen no change of its record.
  std::uint64_t silent_seq_ = 0;
  std::optional<BootTime> silent_since_;
};

}  // namespace holdfast::lock
