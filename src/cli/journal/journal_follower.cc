// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_follower.h"

#include <utility>

#include "cli/journal/journal_reading.h"

namespace holdfast::cli {

Follower::Follower(journal::Filter filter, From from, std::optional<std::uint64_t> limit)
    : filter_(std::move(filter)), from_(from), limit_(limit) {}

Result<> Follower::look(const std::optional<os::Dir>& dir, const journal::QueryVisitor& show) {
  const bool skip = !std::exchange(looked_, true) && from_ == From::kNow;
  if (!dir) return {};
  const auto result = HF_TRY(with_snapshot(
      *dir, [&](const journal::Snapshot& snapshot) { return read(snapshot, skip, show); }));
  position_ = result.end;
  filter_.since_us.reset();
  for (const journal::Damage& damage : result.damaged) {
    if (!told_.emplace(damage.segment, damage.offset, damage.kind).second) continue;
    damaged_.push_back(damage);
  }
  explain_from_whole(*dir, damaged_);
  return {};
}

Result<journal::ScanResult> Follower::read(const journal::Snapshot& snapshot, bool skip,
                                           const journal::QueryVisitor& show) {
  journal::QueryRequest request{.filter = filter_, .resume = position_};
  if (skip && !snapshot.empty()) {
    request.resume = journal::Position{.segment = snapshot.segments().back().ref.first_seq};
  }
  return journal::query(
      snapshot, request, [&](const journal::QueriedRecord& record) -> Result<os::Visit> {
        const std::pair place(record.at.segment, record.at.offset);
        if (skip || (last_ && place <= *last_)) return os::Visit::kContinue;
        if (limit_ && seen_ >= *limit_) return os::Visit::kStop;
        last_ = place;
        ++seen_;
        HF_TRY(show(record));
        return limit_ && seen_ >= *limit_ ? os::Visit::kStop : os::Visit::kContinue;
      });
}

std::vector<journal::Damage> Follower::take_damage() { return std::exchange(damaged_, {}); }

}  // namespace holdfast::cli
