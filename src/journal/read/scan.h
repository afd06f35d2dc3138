// SPDX-License-Identifier: Apache-2.0
//
// scan: visits the records of a snapshot in order, or from the newest back, and says what was not
// one.
//
// Every line that has the frame and the checksum of a record is visited, also one whose number does
// not fit (that is reported as damage `gap` or `chain` beside it). The chain's hashes are not
// checked here: that is verify. Lines that are no records are reported and stepped over. Memory is
// flat.
//
// Damage is looked for in the part that is read: with `from_seq`, `resume` or an early stop the
// rest is not. `damaged` lists it with its explanations, at most kMaxDamages places (the rest as
// one range, kind `many`); `on_damage` hears of it at once, before an explanation can be known.
//
// Errors: kCannotTell (`newer-version`) at the first record of a later holdfast: what came before
// was visited; those of SegmentSource; whatever the visitor returns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/journal/journal_record.h"
#include "journal/read/damage.h"
#include "journal/read/snapshot.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

// A place between two records, kept by whoever follows a journal.
struct Position {
  std::uint64_t segment = 0;   // the first seq in its name
  std::uint64_t offset = 0;    // the start of a line in its text
  std::uint64_t next_seq = 0;  // the number expected there; 0: not known
  bool sealed = false;         // the segment's seal stands before it

  bool operator==(const Position&) const = default;
};

struct ScanRequest {
  std::uint64_t from_seq =
      0;  // leaves out what has a smaller number; whole segments are not even read
  // Goes on where an earlier scan ended, in a newer snapshot. Where its segment is gone, from the
  // oldest one. Not together with from_seq or reverse.
  std::optional<Position> resume{};
  std::optional<std::int64_t> since_us{};  // by wall time; included
  std::optional<std::int64_t> until_us{};  // not included
  bool reverse = false;
};

// Views die with the call.
struct ScannedRecord {
  RecordView record;
  std::string_view line;  // without its newline
  std::uint64_t segment = 0;
  std::uint64_t offset = 0;
};

using RecordVisitor = std::function<Result<os::Visit>(const ScannedRecord& record)>;
using DamageVisitor = std::function<void(const Damage& damage)>;

struct ScanResult {
  std::uint64_t visited = 0;
  std::vector<Damage> damaged{};
  // Behind the last newline of the live segment: a writer in the middle, or one that died there
  // (then the next writer repairs it).
  std::uint64_t unfinished_bytes = 0;
  bool stopped = false;  // the visitor had enough
  // Behind the last line that was read (forwards); to `resume` from.
  Position end{};
};

Result<ScanResult> scan(const Snapshot& snapshot, const ScanRequest& request,
                        const RecordVisitor& visit, const DamageVisitor& on_damage = {});

// scan, from the newest record back. Reports the same damage as forwards when it reaches the front;
// stopped before, that of the part it read (explanations come later in a journal, so it has met
// them).
Result<ScanResult> scan_reverse(const Snapshot& snapshot, const ScanRequest& request,
                                const RecordVisitor& visit, const DamageVisitor& on_damage);

}  // namespace holdfast::journal
