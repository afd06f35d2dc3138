// SPDX-License-Identifier: Apache-2.0
//
// The names in HOME/journal:
//
//   seg-0000000000000001.jsonl   a segment; the number is the seq of its first record
//   seg-….jsonl.zst              the same, sealed and compressed on request
//   state                        notes of the last writer (format/journal/journal_state.h); disposable
//   reserve                      space set aside for the day the disk is full
//   spill-<id>.jsonl             one event whose writer found the lock busy; the next writer merges it
//   blobs/<sha256>               data too large for a record, and damaged bytes that were cut off
//   index/                       derived counters; deleting it changes nothing but time
//
// A segment is created whole (with its first record in it), written at its end only, sealed, and
// never renamed. Anything else in the directory is not ours and is left alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id128.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

struct SegmentRef {
  std::uint64_t first_seq = 0;
  bool compressed = false;

  auto operator<=>(const SegmentRef&) const = default;
};

os::SafeName segment_name(const SegmentRef& segment);
std::optional<SegmentRef> parse_segment_name(std::string_view name);

os::SafeName spill_name(const Id128& id);
std::optional<Id128> parse_spill_name(std::string_view name);

struct Listing {
  std::vector<SegmentRef> segments;  // by first_seq; of a pair plain and compressed only the plain
  std::vector<Id128> spills;
};
Result<Listing> list_journal(const os::Dir& dir);

// Whether this segment has its name still, plain or compressed.
Result<bool> is_named(const os::Dir& dir, std::uint64_t first_seq);

}  // namespace holdfast::journal
