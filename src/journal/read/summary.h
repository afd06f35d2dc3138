// SPDX-License-Identifier: Apache-2.0
//
// What a seal says of a segment: number of records, their range, the last hash, the Merkle root and
// the counts by type. It is read from the file itself, so that a seal vouches for what is there and
// not for what some writer remembers.
//
// Lines that are not records are listed; a segment with any gets no seal (journal/write/writer.h). About
// 0.1 s for 64 MiB.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/journal/journal_payload.h"
#include "journal/read/snapshot.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct Summary {
  SegmentSealed sealed;
  std::vector<ByteRange> damaged;  // neighbours joined
};

// A seal must fit into a record: of more than kMaxSealedTypes types, the ones last in the alphabet
// are counted together under "*".
inline constexpr std::size_t kMaxSealedTypes = 500;
using TypeCounts = std::map<std::string, std::uint64_t, std::less<>>;
TypeCounts bounded_counts(TypeCounts counts);

Result<Summary> summarise(const os::Dir& dir, const SegmentFile& segment);

}  // namespace holdfast::journal
