// SPDX-License-Identifier: Apache-2.0
//
// What segments say of each other: that none is missing between them, that each header continues
// the segment before it; and which damage the journal's own records explain (the rules:
// journal/read/damage.h).
#pragma once

#include <span>
#include <vector>

#include "journal/read/damage.h"
#include "journal/store/segment_facts.h"

namespace holdfast::journal {

enum class OldestFirst : bool {
  kNo,
  kYes
};  // whether the first of the facts is the journal's oldest
enum class CheckHeads : bool { kNo, kYes };  // heads are known to be right (verify)

// All damage of these neighbouring segments, by place, explained where it is.
std::vector<Damage> judge(std::span<const SegmentFacts> segments, OldestFirst from_oldest,
                          CheckHeads heads = CheckHeads::kNo);

// Only the second half: marks what `notes` explain.
void explain(std::vector<Damage>& damaged, std::span<const SegmentFacts> segments);

}  // namespace holdfast::journal
