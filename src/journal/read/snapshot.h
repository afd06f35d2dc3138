// SPDX-License-Identifier: Apache-2.0
//
// Snapshot: which segments a journal had, and how long they were, at one moment. Reading one never
// takes the writers' lock: they only append, so what the snapshot covers does not change while it
// is read.
//
//   Snapshot now = HF_TRY(Snapshot::open(journal_dir));
//   if (now.empty()) …               // no segment at all: a journal that nobody has written to yet
//   ScanResult seen = HF_TRY(scan(now, {}, visit));
//
// Guarantee: every record that was completely written before open() was called is inside. The
// newest segment is *live*: bytes behind its last newline are an unfinished record, not damage.
//
// Limits: retention may remove a segment that the snapshot names; reading it is then kBusy, cause
// `segment-removed`: take a new one. Compression in between is not noticed: the same text is read
// from the compressed file.
//
// Errors of open(): kCannotTell (`newer-version`) where the first readable header belongs to a
// later holdfast. A header that cannot be read is no error: journal_id() comes from the first that
// can, and whoever reads the segment reports the damage.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/cause.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/journal/journal_state.h"
#include "journal/store/layout.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

struct SegmentFile {
  SegmentRef ref;
  std::uint64_t size = 0;  // of the file; what stands behind was written later
  bool live = false;       // the newest, and not compressed: writers may be at its end

  bool operator==(const SegmentFile&) const = default;
};

class Snapshot {
 public:
  // `dir` is the journal directory; it must outlive the snapshot and everything made from it.
  static Result<Snapshot> open(const os::Dir& dir);

  [[nodiscard]] bool empty() const { return segments_.empty(); }
  [[nodiscard]] std::span<const SegmentFile> segments() const { return segments_; }  // by number
  // Nothing for an empty journal, or where no header can be read.
  [[nodiscard]] const std::optional<Id128>& journal_id() const { return journal_id_; }
  [[nodiscard]] const os::Dir& dir() const { return *dir_; }
  // Where the last writer left the journal, read before the listing, so that the snapshot goes at
  // least that far. Nothing where the note is of another boot, or cannot be read.
  [[nodiscard]] const std::optional<HeadNote>& noted() const { return noted_; }
  // The bytes of all files together, for progress.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  Snapshot(const os::Dir& dir, std::vector<SegmentFile> segments)
      : dir_(&dir), segments_(std::move(segments)) {}

  const os::Dir* dir_;
  std::vector<SegmentFile> segments_;
  std::optional<Id128> journal_id_;
  std::optional<HeadNote> noted_;
};

// The index of the segment that has this number by the names, or of the oldest.
std::size_t segment_with(const Snapshot& snapshot, std::uint64_t seq);

// Runs `act` on a snapshot, and again on a new one where retention removed a segment from under it.
template <typename Act>
auto with_snapshot(const os::Dir& dir, Act act) -> decltype(act(std::declval<const Snapshot&>())) {
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    const Snapshot snapshot = HF_TRY(Snapshot::open(dir));
    auto result = act(snapshot);
    if (result || attempt == kAttempts || result.error().cause != cause::kSegmentRemoved)
      return result;
  }
}

}  // namespace holdfast::journal
