// SPDX-License-Identifier: Apache-2.0
#include "journal/read/count.h"

#include <algorithm>
#include <array>

#include "journal/index/index_count.h"
#include "journal/index/index_store.h"
#include "journal/read/grouper.h"
#include "journal/read/segment_counter.h"
#include "journal/read/two_threads.h"
#include "journal/write/continuity.h"

namespace holdfast::journal {
namespace {

Error too_many_groups() {
  return {.code = ErrorCode::kRefused,
          .op = "count by groups",
          .cause = "too-many-groups",
          .detail = "there are more than " + std::to_string(kMaxGroups) +
                    " groups; ask for fewer with a filter"};
}

Result<> add_groups(const GroupTable& table, std::size_t parts, CountResult& result) {
  result.groups.reserve(table.size());
  table.each([&](std::string_view key, std::uint64_t count) {
    result.groups.push_back({.key = split_key(key, parts), .count = count});
  });
  std::ranges::sort(result.groups, [](const auto& a, const auto& b) {
    return a.count != b.count ? a.count > b.count : a.key < b.key;
  });
  return {};
}

}  // namespace

Result<> check_group(std::string_view by) {
  HF_TRY(parse_group_by(by));
  return {};
}

Result<CountResult> count(const Snapshot& snapshot, const CountRequest& request) {
  CountQuestion question{.filter = request.filter, .index_live_from = request.index_live_from};
  for (const std::string& by : request.by) question.by.push_back(HF_TRY(parse_group_by(by)));
  if (request.use_index) question.plan = plan_index(question.filter, question.by);

  std::optional<IndexStore> store;
  if (question.plan.use != IndexPlan::Use::kNone) store.emplace(snapshot);
  SegmentCounter first(snapshot, question, store ? &*store : nullptr);
  SegmentCounter second(snapshot, question, store ? &*store : nullptr);
  const std::array counters{&first, &second};

  std::vector<SegmentFacts> facts(snapshot.segments().size());
  HF_TRY(on_two_threads(facts.size(), [&](std::size_t worker, std::size_t item) -> Result<> {
    facts[item] = HF_TRY(counters[worker]->count(snapshot.segments()[item]));
    return {};
  }));

  bool fits = !first.full() && !second.full();
  second.table().each([&](std::string_view key, std::uint64_t count) {
    fits = fits && first.table().add(key, count);
  });
  if (!fits) return fail(too_many_groups());
  CountResult result{.count = first.total() + second.total()};
  if (!question.by.empty()) HF_TRY(add_groups(first.table(), question.by.size(), result));
  result.damaged = judge(facts, OldestFirst::kYes);
  for (const SegmentFacts& segment : facts) result.unfinished_bytes += segment.unfinished_bytes;
  result.index_used = first.index_used() || second.index_used();
  if (store) result.index_note = store->note();
  return result;
}

}  // namespace holdfast::journal
