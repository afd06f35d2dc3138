// SPDX-License-Identifier: Apache-2.0
//
// Ledger: the open file of one lock, and the only place where its records are read and written.
//
// Guarantees: a ledger that you hold is an ordinary file of the caller's own, with one name, not
// writable by others, with a header of a version that this program knows. It was made whole (staged
// and linked), so a record that cannot be read is damage. Records change only under a Guard, in the
// older of the two slots. Each Ledger has an open file description of its own.
//
// Limits: read() without a Guard may meet a write on its way and then answers with the record
// before it; where no slot is valid it asks again under GUARD before it says so.
//
// Errors: kRefused (`is-link`, `not-a-regular-file`, `foreign-owner`, `hard-linked`,
// `writable-by-others`), kCorrupt (`bad-header`, `no-valid-record`), kCannotTell (`newer-version`),
// kBusy `guard-timeout`; else os_error.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "format/lock/lock_ledger.h"
#include "lock/ledger/fence_home.h"
#include "lock/ledger/place.h"
#include "os/file/file.h"
#include "os/file/stat_without_times.h"
#include "os/lock/blocked_wait.h"
#include "os/lock/byte_lock.h"

namespace holdfast::lock {

inline constexpr Duration kGuardPatience = std::chrono::seconds(1);

// GUARD is held as long as this lives. It does not outlive its ledger.
class Guard {
 public:
  // `bytes` from GUARD on are given back with it: life bytes that were taken along.
  explicit Guard(const os::File& file, std::uint64_t bytes = 1) : file_(&file), bytes_(bytes) {}
  Guard(Guard&& other) noexcept
      : file_(std::exchange(other.file_, nullptr)), bytes_(other.bytes_) {}
  Guard& operator=(Guard&&) = delete;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { drop(); }
  void drop();
  // Together with the life of `epoch` on the same description, in one step: who gets life next
  // finds GUARD free. An error: both may still be held, until the description goes. The description
  // must have no other byte.
  Result<> drop_with_life(std::uint64_t epoch);

 private:
  const os::File* file_;
  std::uint64_t bytes_;
};

class Ledger {
 public:
  // nullopt: there is none.
  static Result<std::optional<Ledger>> open(const Place& place);
  // Made where it is missing, with a fence above every earlier one of this name.
  static Result<Ledger> open_or_make(const Place& place, const FenceHome& fences,
                                     const Clock& clock);

  [[nodiscard]] Result<Guard> guard(Duration patience = kGuardPatience) const;
  // GUARD and the life of `epoch`, exclusively, in one step and without waiting; life stays when
  // the Guard goes. nullopt: somebody has one of the two, or the life of an older epoch, and
  // nothing was taken. This description must have none of them.
  [[nodiscard]] Result<std::optional<Guard>> try_guard_and_life(std::uint64_t epoch) const;

  [[nodiscard]] Result<NewestRecord> read() const;
  // The same where the caller has GUARD.
  [[nodiscard]] Result<NewestRecord> read(const Guard& guard) const;
  // The same, not copied: valid until the next call that is not const, or reads.
  [[nodiscard]] Result<const NewestRecord*> peek(const Guard& guard) const;
  // After what was last read, under the same Guard. `next.seq` is set here.
  Result<> write(const Guard& guard, LockRecord&& next);
  // The same after `now`, which becomes what is there.
  Result<> write(const Guard& guard, NewestRecord& now, LockRecord next);
  // The record is again as it was before the last write under the same Guard.
  Result<> take_back(const Guard& guard);

  // At least this far may generations go. Marks only rise, so what was read once stays true.
  [[nodiscard]] Result<bool> is_reserved(std::uint64_t generation);
  // Raises the mark of the home, then this one's, each synced. Called without GUARD, which it takes
  // for the write alone: a sync takes long.
  Result<> reserve(std::uint64_t generation, const FenceHome& fences);
  [[nodiscard]] Result<std::uint64_t> mark() const;

  // What was written is on stable storage: for what somebody was told cannot come back, whatever
  // happens (a hold that was taken or broken). Called without GUARD: a sync takes long.
  Result<> sync() { return file_.sync_data(); }

  // Gives up what was read, which saves decoding it again: who waits keeps little memory.
  void forget_slots() { known_.reset(); }

  // Does the name still lead here?
  [[nodiscard]] Result<bool> is_named(const Place& place) const;

  // The word on which waiters sleep; mapped when first asked for.
  Result<const os::SharedWord*> moved();
  // Wakes them, *before* a change that frees no byte is written, under the same Guard: dying
  // between the two must not leave a change that nobody is told of. Who is woken looks under GUARD,
  // and so after the change.
  Result<> tell_waiters(const Guard& guard);

  [[nodiscard]] const os::File& file() const { return file_; }
  [[nodiscard]] os::File& file() { return file_; }
  [[nodiscard]] const os::FileId& id() const { return id_; }
  // As it was when the ledger was opened: a first guess.
  [[nodiscard]] std::optional<std::uint64_t> first_epoch() const { return first_epoch_; }

 private:
  Ledger(os::File file, os::FileId id) : file_(std::move(file)), id_(id) {}
  static Result<Ledger> adopt(os::OpenedFile opened);
  void look_at_page(std::string_view page);
  [[nodiscard]] Result<const NewestRecord*> read_slots() const;
  [[nodiscard]] Result<bool> wait_for_guard(Duration patience) const;

  // What was read or written last: the same bytes are not decoded a second time.
  struct Known {
    std::array<char, 2 * kRecordBytes> bytes{};
    bool whole = false;  // `bytes` are those in the file, and `newest` is what they say
    NewestRecord newest;
  };

  os::File file_;
  os::FileId id_;
  std::optional<std::uint64_t> first_epoch_;
  std::uint64_t mark_seen_ = 0;
  mutable std::unique_ptr<Known> known_;
  std::optional<os::SharedWord> moved_;
};

// Refuses a lock file that somebody else owns or could change, or that has a second name.
enum class GroupMayWrite : std::uint8_t { kNo, kYes };
Result<> check_lock_file(const os::OpenedFile& opened, GroupMayWrite group);

}  // namespace holdfast::lock
