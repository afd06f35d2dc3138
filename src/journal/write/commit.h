// SPDX-License-Identifier: Apache-2.0
//
// Group commit: writers that wait for stable storage share one flush.
//
// It happens outside the journal's lock: a flush takes a thousand times longer than an append. Of
// those who wait, one (whoever gets the lock on `state`) flushes for everything that was appended
// until then and notes how far that was; the others find themselves covered, or flush next.
//
// The lock is an optimisation and nothing more. A leader that is stopped in the middle holds the
// others up for kWaitForLeader; then each flushes for itself, which is always right.
//
// A failed flush is never repeated: the kernel may have dropped the pages, and it tells each handle
// of the failure once. So whoever meets it says so at once, to the threads that share its handle
// (SegmentHandle::failed) and to other processes (the PoisonNote), before it gives the lock back; a
// leader notes no progress of a poisoned segment, and nobody believes one. A follower that finds
// itself covered also asks its own handle, which was open before its records were written: it is
// told of any failure since, whoever else was.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "journal/write/state_file.h"
#include "journal/write/writer.h"

namespace holdfast::journal {

inline constexpr Duration kWaitForLeader = std::chrono::milliseconds(20);

Result<> sync_up_to(StateFile& state, const Id128& boot, const Written& written);

// `state` may be null.
void poison_segment(SegmentHandle& handle, StateFile* state, const Id128& boot,
                    std::uint64_t segment);

}  // namespace holdfast::journal
