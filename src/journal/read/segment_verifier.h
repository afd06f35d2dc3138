// SPDX-License-Identifier: Apache-2.0
//
// verify_segment: everything that one segment can be held to by itself, given what its header says
// of the one before: hashes, seal, blobs, and the heads that anchors ask about.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "journal/read/snapshot.h"
#include "journal/store/segment_facts.h"

namespace holdfast::journal {

struct PinnedHead {
  std::uint64_t seq = 0;
  Digest head;
};

struct VerifiedSegment {
  SegmentFacts facts;
  std::uint64_t blobs = 0;
  std::vector<PinnedHead> pinned{};  // the heads of those of `pins` that were met
};

// `pins`: numbers of records whose heads are wanted, rising.
Result<VerifiedSegment> verify_segment(const Snapshot& snapshot, const SegmentFile& segment,
                                       const std::vector<std::uint64_t>& pins, bool with_blobs);

}  // namespace holdfast::journal
