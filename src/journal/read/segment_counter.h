// SPDX-License-Identifier: Apache-2.0
//
// SegmentCounter: counts segments, one after the other, for one thread; from the index where there
// is one that answers, else by a scan that makes one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "journal/index/index.h"
#include "journal/index/index_count.h"
#include "journal/index/index_store.h"
#include "journal/read/filter.h"
#include "journal/read/grouper.h"
#include "journal/read/matcher.h"
#include "journal/read/snapshot.h"
#include "journal/store/segment_facts.h"

namespace holdfast::journal {

struct CountQuestion {
  const Filter& filter;
  std::vector<GroupBy> by{};
  IndexPlan plan{};
  std::uint64_t index_live_from = 0;
};

class SegmentCounter {
 public:
  // All must outlive it. `store`: nothing where the index is not to be used.
  SegmentCounter(const Snapshot& snapshot, const CountQuestion& question, IndexStore* store);
  SegmentCounter(const SegmentCounter&) = delete;
  SegmentCounter& operator=(const SegmentCounter&) = delete;
  ~SegmentCounter() = default;

  Result<SegmentFacts> count(const SegmentFile& segment);

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] GroupTable& table() { return table_; }
  [[nodiscard]] bool full() const { return full_; }
  [[nodiscard]] bool index_used() const { return index_used_; }

 private:
  // The answer of one segment before it is certain that it stands.
  struct Tally {
    std::uint64_t total = 0;
    GroupTable groups;
  };

  Result<SegmentFacts> count_by_scan(const SegmentFile& segment, bool build);
  Result<std::optional<SegmentFacts>> count_by_index(const SegmentFile& segment,
                                                     const SegmentIndex& index,
                                                     const FieldIndex* fields);
  Result<bool> count_edge(const SegmentFile& segment, const EdgeBlock& edge, Tally& tally);
  Result<> take(const RecordFields& record, std::uint64_t& total, GroupTable& table);
  void add(std::string_view key, std::uint64_t count, Tally& tally);
  // Whether what the index of a segment leaves to scanning is worth a new one.
  [[nodiscard]] bool worth_building(const SegmentFile& segment, std::uint64_t covered) const;

  const Snapshot& snapshot_;
  const CountQuestion& question_;
  IndexStore* store_;
  RecordFieldReader values_;
  Matcher matcher_;
  Grouper grouper_;
  bool filtered_;
  std::uint64_t total_ = 0;
  GroupTable table_;
  bool full_ = false;
  bool index_used_ = false;
};

}  // namespace holdfast::journal
