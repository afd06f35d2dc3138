// SPDX-License-Identifier: Apache-2.0
//
// Journal: the record of what happened, written by any number of processes and threads at once.
//
//   auto journal = HF_TRY(Journal::open(dir, {.writer = "4711.88231", .clock = &clock}));
//   HF_TRY(journal->record({.type = "lock.fail_open", .data = …}));   // durable when this returns
//
// Guarantees, by class of the event (base/event.h):
//   trace     with `buffer_traces` in memory until flush(), the destructor, or the next record()
//             after a second or 256 of them (there is no timer); otherwise as an event
//   event     in the journal when record() returns, or in a spill file beside it if the journal's
//             lock was busy for `lock_wait` (kSpilled). The next events do not wait again until the
//             lock was free once: a stopped writer costs its neighbors one wait, not one per event
//   decision  in the journal and on stable storage when record() returns; otherwise an Error, and
//             the caller does not act: kCannotTell `journal-busy` if the lock was busy, kIo if the
//             disk failed
//   all       one record per event, whole, with the next number, continuing the chain; never
//             interleaved
//
// A full disk: the reserve is given up once, which is recorded (journal.full). From then on traces
// are dropped, events and decisions are written while that lasts; then each record() is kIo:
// `dropped` for an event or trace, which is counted, `enospc` for a decision. When there is space
// again the journal says how many (exactly) before anything else.
//
// Limits: a process of the same user can rewrite everything (SECURITY.md); anchors show it. A
// segment that somebody moves away under a running writer is noticed within 0.1 s for events, at
// once for decisions; what was written in between went with the file, and the journal says so.
//
// Errors: kUsage: unknown type, one of the journal's own types, or a missing field; kCorrupt: the
// end of the journal is damaged beyond a torn write, see `journal repair`; kCannotTell: newer
// version, or busy.
//
// Threads: record() may be called from any. After fork() both processes may go on using it; traces
// that were buffered then are the parent's to write.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "journal/write/writer.h"
#include "os/dir/dir.h"
#include "os/lock/dir_lock.h"

namespace holdfast::journal {

// The only journal.* types that record() takes; the journal writes all others itself.
inline constexpr std::string_view kAnchoredType = "journal.anchored";
inline constexpr std::string_view kAnchorFailedType = "journal.anchor_failed";

struct JournalOptions {
  std::string writer{};  // who writes: pid and start time, "4711.88231"
  const Clock* clock = nullptr;
  Limits limits{};
  Duration lock_wait = std::chrono::seconds(1);
  bool buffer_traces = false;
};

// How far the journal goes.
struct Head {
  Id128 journal;
  std::uint64_t seq = 0;
  Digest hash;
};

class Journal final : public EventSink {
 public:
  // `dir` is HOME/journal. Nothing is made or changed before the first record.
  static Result<std::unique_ptr<Journal>> open(os::Dir dir, JournalOptions options);
  ~Journal() override;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  Result<EventReceipt> record(const Event& event) override;
  // By one write and next to each other, unless death cuts that short; the strongest class of them
  // holds for all.
  Result<EventReceipt> record_all(std::span<const Event> events);
  // Writes buffered traces.
  Result<> flush();

  // Seals the newest segment and opens the next; false where it holds nothing yet.
  Result<bool> rotate();
  // Drops whole sealed segments, oldest first, until at most `keep_bytes` are left.
  Result<std::size_t> retain(std::uint64_t keep_bytes);
  // Puts damage that a person has seen on record (journal/write/repair.h).
  Result<> acknowledge(std::span<const JournalRepaired> found);
  // Records `event` as a decision and returns the head that it became: what an anchor pins.
  Result<Head> record_head(const Event& event);

 private:
  Journal(os::Dir dir, const Id128& boot, os::DirLock lock, JournalOptions options);

  class Locked;
  template <typename Act>
  auto under_lock(Act act) -> decltype(act());
  [[nodiscard]] Stamp stamp() const;
  Result<Entry> to_entry(const Event& event, EventClass& strongest);
  Result<Entry> to_entry_on_any_disk(const Event& event, EventClass& strongest, MonoTime deadline);
  Result<EventReceipt> append(std::span<const Event> events, EventClass at_least, Head* head);
  Result<Written> append_locked(std::span<const Entry> entries, EventClass strongest);
  Result<EventReceipt> spill(std::vector<Entry> entries, EventClass strongest);
  Result<std::uint64_t> make_durable(Written written, std::span<const Entry> own,
                                     std::unique_lock<std::timed_mutex>& held, Head* head);
  void notice_fork();
  void keep_bounded();
  [[nodiscard]] Head head() const;
  // Must the buffered traces be written, once there are `more`, which are not none?
  [[nodiscard]] bool is_due(std::span<const Entry> more) const;
  [[nodiscard]] Error dropped(std::string_view why) const;

  mutable std::timed_mutex mutex_;
  std::string boot_;  // 8 digits
  JournalOptions options_;
  Writer writer_;
  os::DirLock lock_;
  std::vector<Entry> buffered_;
  bool patient_ = true;  // false: the lock was busy for `lock_wait`, and not free since
  std::int64_t mark_;    // of the process that opened the handles
};

}  // namespace holdfast::journal
