// SPDX-License-Identifier: Apache-2.0
//
// Spilling: what events do when the journal's lock stays busy (rule J1).
//
// Hostile interleaving: a writer is stopped (SIGSTOP, a debugger, a frozen container) while it
// holds the lock. Nobody may write into the segment then, and nobody may wait for ever. The events
// of one call go to a file of their own, `spill-<id>.jsonl`, which appears whole; the next writer
// that gets the lock appends them to the journal, with the time and writer they came with, and
// removes the file. Ids begin with the time since boot, so spills are merged in the order in which
// they were made.
//
// A merger that dies between appending and removing leaves the file; the next one must not append
// it twice. The records of a merged spill therefore carry its id (`"w":"4711.88231~<id>"`), and a
// merger looks for the ids in the newest two segments first: merging is all that happens to a
// spill, so a record of it cannot be further back unless two rotations went by between two calls of
// one merger.
//
// Guarantee: a spilled event is merged exactly once unless that happens; readers count it from then
// on. Decisions never spill: what must be durable before the act is refused instead.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/event.h"
#include "base/result.h"
#include "journal/store/layout.h"
#include "journal/write/live_segment.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

// At most this many are merged by one append, so that no append takes long.
inline constexpr std::size_t kMaxMergedAtOnce = 64;

Result<> write_spill(const os::Dir& dir, std::span<const Entry> entries);

struct ReadSpill {
  std::vector<Entry> entries{};  // their writer carries the id
  std::string unreadable{};  // where there are none: what is there instead (a power cut empties it)
};
// Errors leave it for later: a spill of a newer version (kCannotTell), or one that cannot be read.
Result<ReadSpill> read_spill(const os::Dir& dir, const Id128& id);

// Which of `ids` have their records in the journal already. One pass over at most two segments.
Result<std::set<Id128>> merged_before(const os::Dir& dir, std::span<const SegmentRef> segments,
                                      std::span<const Id128> ids);

Result<> remove_spills(const os::Dir& dir, std::span<const Id128> ids);

}  // namespace holdfast::journal
