// SPDX-License-Identifier: Apache-2.0
//
// Writer: everything that happens under the journal's lock. journal.h takes the lock, calls one of
// these, and gives it back.
//
// Hostile interleavings, and what answers each:
//   two writers read the same end and both continue it (a fork)    end, hash and write under one
//   lock a writer died in the middle of its write                        the end is checked before
//   each append; torn
//                                                                   bytes are kept as a blob, cut
//                                                                   off, and said
//   our own write was short (disk full)                             cut back to the old end before
//   anything else another process rotated meanwhile                               a seal at the end
//   shows it somebody emptied, replaced or moved the segment (copytruncate)  the note in `state`
//   knows how far it went:
//                                                                   lost numbers are said and never
//                                                                   given again
//   a sync failed                                                   the segment is poisoned:
//   nothing is appended
//                                                                   to it again, a new one says
//                                                                   what is unknown
//   died between sealing and opening the next                       a sealed end makes the next
//   writer open it
//
// Invariants: seq rises by one, but where a journal.repaired record names the gap; each record
// continues the hash of the record before it; a segment becomes visible only with its first record,
// synced; the note in `state` never runs ahead of the segment, and at most a millisecond of one
// writer's events behind.
//
// After any error the end is looked for anew. Nothing here waits; what syncs is rotation (up to a
// segment's length: on a slow disk others wait for it), repair, retention, and keeping a broken
// spill.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/journal/journal_payload.h"
#include "journal/store/layout.h"
#include "journal/write/live_segment.h"
#include "journal/write/state_file.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

class Writer {
 public:
  // `stamp` gives time, boot and writer of records that the journal itself writes; `now_us` is the
  // time since boot.
  Writer(os::Dir dir, Limits limits, Id128 boot, std::string host, std::function<Stamp()> stamp,
         std::function<std::int64_t()> now_us);

  // By one write; if that is cut short by death, the next writer finds a part of them. `careful`
  // also proves that the names still mean the files that are written to.
  Result<Written> append(std::span<const Entry> entries, bool careful);

  // Seals the live segment and opens the next. False: there is nothing in it to seal.
  Result<bool> rotate();
  // Drops the oldest sealed segments until at most `keep_bytes` are left; returns how many.
  Result<std::size_t> retain(std::uint64_t keep_bytes);

  // A sync of the segment failed, and `written.handle` knows. Says so in the journal: in a new
  // segment, synced before it counts, that replaces the poisoned one, or, where another writer did
  // that already, at the end. Either way `own` is repeated behind it; `must_sync`: that is not yet
  // durable.
  struct Replaced {
    Written written;
    bool must_sync = false;
  };
  Result<Replaced> replace_poisoned(const Written& written, const Error& cause,
                                    std::span<const Entry> own);

  // For `journal repair`: puts `found` on record. Where the end cannot be appended to, a new
  // segment is opened behind it.
  Result<> acknowledge(std::span<const JournalRepaired> found);

  // What a full disk has cost; the record counts as dropped once this returned.
  Result<> count_dropped(EventClass event_class);
  // Gives up the reserve; false where there was none.
  Result<bool> begin_full();
  // While the disk is full, traces are not worth the rest of the reserve.
  Result<bool> refuses_traces();

  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  [[nodiscard]] const Id128& boot() const { return boot_; }
  // After a fork: handles are shared with the other process, so none of them is used again.
  void forget() {
    live_.reset();
    state_.reset();
  }
  // The file of the live segment as of the last append, for syncing outside the lock.
  [[nodiscard]] const std::optional<Live>& live() const { return live_; }
  [[nodiscard]] std::shared_ptr<StateFile> state() const { return state_; }
  // The newest segment's name, for blobs that are written before the lock is taken; 0 before the
  // first.
  [[nodiscard]] Result<std::uint64_t> newest_segment();

 private:
  // Whatever fails while one of these lives, the end is looked for anew.
  class EndIsKnown {
   public:
    explicit EndIsKnown(std::optional<Live>& live) : live_(live) {}
    ~EndIsKnown() {
      if (!kept_) live_.reset();
    }
    EndIsKnown(const EndIsKnown&) = delete;
    EndIsKnown& operator=(const EndIsKnown&) = delete;
    void keep() { kept_ = true; }

   private:
    std::optional<Live>& live_;
    bool kept_ = false;
  };

  // writer_settle.cc: finding the end.
  Result<> settle(bool careful);
  Result<> settle_report();
  Result<> open_state();
  Result<bool> caught_up(bool careful);
  Result<bool> read_on();
  Result<> find_end();
  struct Found;
  Result<> begin_journal(const StateFile::Notes& notes);
  Result<> check_against_note(const HeadNote& note, Found& found);
  static void add_lost_synced(const SyncNote& note, Found& found);
  Result<> mend_in_place(const Found& found);
  Result<> leave_behind(Found& found);
  Result<Digest> keep_torn_bytes(const Found& found);

  // writer_segment.cc: opening, sealing and dropping segments.
  using AddMore = std::function<void(Batch&)>;
  Result<> open_segment(const Id128& journal, std::uint64_t number, const ChainEnd& end,
                        std::optional<SegmentOpened::Previous> previous, const AddMore& more);
  Result<> open_next(const AddMore& more);
  Result<> begin_behind_damage(const AddMore& more);
  Result<> seal_and_open_next();
  Result<std::size_t> drop_oldest(std::uint64_t keep_bytes);
  [[nodiscard]] Result<std::uint64_t> size_of(const SegmentRef& ref) const;
  [[nodiscard]] Result<std::vector<std::uint64_t>> sizes_with_blobs() const;
  // What was appended last, `own`, on stable storage; in a new segment where this one fails.
  Result<> make_durable(std::span<const Entry> own);
  void poison(const Written& written, const Error& cause);
  [[nodiscard]] Written as_written() const;
  [[nodiscard]] HeadNote as_note() const;
  [[nodiscard]] Result<JournalSyncError> sync_error(const Written& written,
                                                    std::string_view cause) const;
  [[nodiscard]] SegmentOpened::Previous as_previous() const;

  [[nodiscard]] Result<> check_blob_is_safe(const Entry& entry) const;
  [[nodiscard]] bool rotation_due(std::uint64_t more_bytes) const;
  [[nodiscard]] bool blobs_are_due(std::span<const Entry> entries) const;
  Result<bool> add_end_of_full_disk(Batch& batch);
  Result<std::vector<Id128>> add_spills(Batch& batch);
  bool keep_blob(Entry& entry);
  bool add_unreadable_spill(Batch& batch, const Id128& id, std::string_view bytes);
  enum class Note : std::uint8_t { kNow, kSoon };
  Result<> write(const Batch& batch, Note note = Note::kNow);
  Result<> note_head(Note when = Note::kNow);
  [[nodiscard]] Entry own_entry(std::string_view type, const EventData& data) const;

  os::Dir dir_;
  Limits limits_;
  Id128 boot_;
  std::string host_;
  std::function<Stamp()> stamp_;
  std::function<std::int64_t()> now_us_;

  std::shared_ptr<StateFile> state_;
  std::optional<Live> live_;
  std::string head_slot_;  // as last written or seen
  std::vector<Id128> spills_;
  std::vector<SegmentRef> segments_;
  DropNote drop_;
  bool full_since_append_ = false;  // no space was left at the last try
  // A segment whose sync failed here: known even where the note could not be left.
  struct Failed {
    std::uint64_t segment = 0;
    std::string cause = "earlier";
    std::span<const Entry> repeat{};  // goes into the segment that replaces it
    bool repeated = false;
  };
  Failed failed_;
  std::int64_t name_checked_us_ = 0;
  std::int64_t noted_us_ = 0;
};

}  // namespace holdfast::journal
