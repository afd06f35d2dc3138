// SPDX-License-Identifier: Apache-2.0
//
// count: how many records pass a filter, as one number or by groups.
//
// The answer is the same with and without the index (journal/index/index.h); damage is reported either
// way. Two threads read segments at the same time; memory is flat (under 64 MiB) whatever the
// journal's size.
//
// Groups: `type`, `class`, `writer`, `boot` (its 8 digits), `day` (2026-11-15), `hour`
// (2026-11-15T07; both UTC, by the record's wall time), `data.PATH` (filter.h). A record without
// that field has the key kNoValue; a text that reads the same falls into the same group. Where
// nothing but these and types and times are asked, no JSON is parsed.
//
// Errors: kUsage (`bad-group`) for an unknown group; kRefused (`too-many-groups`) where the groups
// would not fit into memory (100000, or 8 MiB of keys); those of scan.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "journal/read/damage.h"
#include "journal/read/filter.h"
#include "journal/read/snapshot.h"

namespace holdfast::journal {

inline constexpr std::string_view kNoValue = "(none)";
inline constexpr std::size_t kMaxGroups = 100'000;

struct CountRequest {
  Filter filter{};
  std::vector<std::string> by{};
  bool use_index = true;  // read it, and build what is missing of it
  // The live segment gets an index when so many bytes of it have none, and again when they doubled.
  std::uint64_t index_live_from = std::uint64_t{4} * 1024 * 1024;
};

struct CountResult {
  struct Group {
    std::vector<std::string> key;  // one text for each of `by`
    std::uint64_t count = 0;

    bool operator==(const Group&) const = default;
  };

  std::uint64_t count = 0;
  std::vector<Group> groups{};  // only with `by`; the largest first, equal ones by key
  std::vector<Damage> damaged{};
  std::uint64_t unfinished_bytes = 0;
  bool index_used = false;  // at least a part of the answer came from it
  std::string
      index_note{};  // why a part of the index could not be written; empty where all is well
};

Result<CountResult> count(const Snapshot& snapshot, const CountRequest& request);

// kUsage where `by` has something that count would refuse; for checking an option early.
Result<> check_group(std::string_view by);

}  // namespace holdfast::journal
