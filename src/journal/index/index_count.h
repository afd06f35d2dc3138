// SPDX-License-Identifier: Apache-2.0
//
// What an index can answer. A plan is made once for a question; each segment is then answered from
// its index, but for the blocks on the edge of the time range, which the caller scans.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "journal/index/index.h"
#include "journal/read/filter.h"
#include "journal/read/grouper.h"

namespace holdfast::journal {

struct IndexPlan {
  enum class Use : std::uint8_t {
    kNone,   // only a scan knows
    kCells,  // types, classes, days and hours
    kField,  // the values of one top-level field, and types
  };
  Use use = Use::kNone;
  std::string field{};
};

IndexPlan plan_index(const Filter& filter, std::span<const GroupBy> by);

// The bytes of a block that is partly inside the time range.
struct EdgeBlock {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// What the whole blocks say: add(key, count) for each group, with an empty key where there are
// none. false: this index does not have the answer. `fields`, of that field, where the plan is
// kField.
bool answer_from_index(const Filter& filter, std::span<const GroupBy> by, const IndexPlan& plan,
                       const SegmentIndex& index, const FieldIndex* fields,
                       const std::function<void(std::string_view, std::uint64_t)>& add,
                       std::vector<EdgeBlock>& edges);

}  // namespace holdfast::journal
