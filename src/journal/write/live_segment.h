// SPDX-License-Identifier: Apache-2.0
//
// The segment that takes the next record: where it begins and ends, and the records that are about
// to be added to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/digest.h"
#include "base/event.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/journal/journal_payload.h"
#include "journal/store/layout.h"
#include "os/dir/dir.h"
#include "os/file/file.h"

namespace holdfast::journal {

// When and by whom: what each record carries beside its event.
struct Stamp {
  std::int64_t wall_us = 0;
  std::int64_t boot_us = 0;
  std::string boot;  // 8 hex digits
  std::string writer;
};

// Where a journal ends: what the next record continues from. {0, zeros} is the beginning.
struct ChainEnd {
  std::uint64_t seq = 0;
  Digest hash;
};

// An event, stamped and ready to become a record.
struct Entry {
  Stamp stamp;
  EventClass event_class = EventClass::kEvent;
  std::string type;
  std::string data;
  std::uint64_t blob_segment = 0;  // of the blob that `data` speaks of, if it does
};

// Records that follow each other in the chain, made ready to be written by one call. It knows where
// the journal ends (seq and hash) and carries both forward with each record. Nothing in it is part
// of the journal until its bytes are in the file.
class Batch {
 public:
  Batch(const Id128& journal, const ChainEnd& end) : journal_(journal), end_(end) {
    bytes_.reserve(512);  // most batches are one record
  }

  void add(const Entry& entry);
  // Records lost `seq` numbers that must not be given again.
  void skip_to(std::uint64_t last_lost_seq) { end_.seq = last_lost_seq; }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] const ChainEnd& end() const { return end_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  Id128 journal_;
  ChainEnd end_;
  std::string bytes_;
};

// The cause of an append that must store its blobs anew.
inline constexpr std::string_view kRotatedMeanwhile = "rotated-meanwhile";

struct Limits {
  std::uint64_t segment_bytes = std::uint64_t{64} << 20;
  std::uint64_t segment_records = 1'000'000;
  // Whole sealed segments go, oldest first, when the journal is larger than this.
  std::uint64_t keep_bytes = std::uint64_t{4} << 30;
  // Appends that follow each other faster share a note of where the journal ends, which costs a
  // fifth of an append. Zero for a program that ends at any moment: what it wrote last is noted.
  std::int64_t note_every_us = 1000;
};

// An open segment. The kernel tells a handle of a failed write-back once, whoever asks first;
// `failed` remembers it for every thread that shares the handle.
struct SegmentHandle {
  explicit SegmentHandle(os::File opened) : file(std::move(opened)) {}

  os::File file;
  std::mutex syncing;  // held from asking the kernel until `failed` is set
  std::atomic<bool> failed = false;
};

// The segment that takes the next record.
struct Live {
  SegmentRef ref;
  std::shared_ptr<SegmentHandle> handle;  // shared with whoever syncs it outside the lock
  os::FileId id;                          // of the file, to see that the name still means it
  Id128 journal;
  std::uint64_t number = 1;  // of the segment
  std::uint64_t size = 0;
  ChainEnd end;
};

// Where the appended records are, for whoever syncs them.
struct Written {
  std::uint64_t segment = 0;
  std::uint64_t last_seq = 0;
  std::shared_ptr<SegmentHandle> handle{};
};

// The first record of a segment: which journal it belongs to, and what it continues.
//
// kCorrupt (`bad-header`) where the segment does not begin with a whole `journal.opened` record of
// its own number; kCannotTell (`newer-version`) where a later holdfast wrote it.
Result<SegmentOpened> read_header(const os::Dir& dir, const SegmentRef& ref);

// The end of the newest segment, as the next writer finds it.
//
// A writer that dies, a disk that fills up or a power cut may leave bytes behind the last whole
// record: half a record, NUL bytes, a page of something else. examine_tail finds the last record
// that is whole and right, and says how many bytes behind it are not.
//
// Only an *end* may be torn. The search goes back over at most kMaxTornBytes; if there is no good
// record in them, the damage is more than a torn write explains, and the answer is kCorrupt
// (`no-good-end`): a person runs `journal repair`. The last good record must also continue the one
// before it, else kCorrupt (`chain-broken`). A record of a newer version is kCannotTell: nothing is
// written behind it.
inline constexpr std::uint64_t kMaxTornBytes = std::uint64_t{4} * 1024 * 1024;

struct Tail {
  std::uint64_t good_bytes = 0;  // length of the segment up to its last good record
  std::uint64_t torn_bytes = 0;  // what follows
  std::uint64_t seq = 0;         // of the last good record
  Digest hash;
  std::string type;
};

Result<Tail> examine_tail(const os::File& segment, const Id128& journal);

}  // namespace holdfast::journal
