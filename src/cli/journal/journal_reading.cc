// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_reading.h"

#include <algorithm>
#include <utility>

#include "cli/journal/journal_damage.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

// For damage that was met while reading a part: an explanation may stand anywhere, so where one is
// missing the whole journal is read for it. Damage that nothing explains, or cannot be read about,
// stays as it is.
void explain_from_whole(const os::Dir& dir, std::vector<journal::Damage>& damaged) {
  if (!journal::any_unexplained(damaged)) return;
  const auto whole = with_snapshot(dir, [](const journal::Snapshot& snapshot) {
    return journal::scan(snapshot, {}, [](const journal::ScannedRecord& /*record*/) {
      return Result<os::Visit>(os::Visit::kContinue);
    });
  });
  if (!whole) return;
  for (journal::Damage& damage : damaged) {
    if (damage.explained) continue;
    const auto known = std::ranges::find_if(whole->damaged, [&](const journal::Damage& one) {
      return one.explained && one.segment == damage.segment && one.offset == damage.offset &&
             one.kind == damage.kind;
    });
    if (known == whole->damaged.end()) continue;
    damage.explained = true;
    damage.dropped = known->dropped;
  }
}

}  // namespace

Result<std::optional<os::Dir>> journal_to_read(const Context& context) {
  return context.runtime().find_journal();
}

Result<std::unique_ptr<journal::Journal>> journal_to_write(const Context& context) {
  return context.runtime().open_journal();
}

Result<std::vector<journal::Damage>> damage_of_question(const os::Dir& dir,
                                                        const journal::Filter& filter,
                                                        std::span<const journal::Damage> damaged) {
  std::optional<std::int64_t> oldest_us;
  if (!damaged.empty() && filter.since_us) {
    HF_TRY(with_snapshot(dir, [&](const journal::Snapshot& snapshot) {
      return journal::scan(snapshot, {}, [&](const journal::ScannedRecord& record) {
        oldest_us = record.record.fields.wall_us;
        return Result<os::Visit>(os::Visit::kStop);
      });
    }));
  }
  return worth_telling(damaged, filter.since_us, oldest_us);
}

Result<ReadOutcome> read_records(Context& context, const os::Dir& dir,
                                 journal::QueryRequest request,
                                 const journal::QueryVisitor& visit) {
  ReadOutcome outcome;
  if (request.limit == 0) return outcome;
  std::vector<journal::Damage> met;  // of the attempts that came to nothing
  // Where the record stood that was visited last. Numbers go back in a damaged journal, places do
  // not.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> last;
  const auto once = [&](const journal::QueriedRecord& record) -> Result<os::Visit> {
    const std::pair place(record.at.segment, record.at.offset);
    const bool again = last && (request.reverse ? place >= *last : place <= *last);
    if (again) return os::Visit::kContinue;
    last = place;
    ++outcome.records;
    const os::Visit wish = HF_TRY(visit(record));
    return request.limit == outcome.records ? os::Visit::kStop : wish;
  };
  const auto seen = with_snapshot(dir, [&](const journal::Snapshot& snapshot) {
    journal::QueryRequest rest = request;
    rest.limit.reset();  // counted above, over all attempts
    auto result = journal::query(snapshot, rest, once,
                                 [&](const journal::Damage& damage) { met.push_back(damage); });
    if (result) {
      outcome.damaged = std::move(result->damaged);
      outcome.unfinished_bytes = result->unfinished_bytes;
    }
    return result;
  });
  if (!seen) {
    for (const journal::Damage& damage : met) context.warn("damage: " + damage_line(damage));
    return fail(seen.error());
  }
  const bool in_part = request.limit || request.reverse || request.from_seq != 0;
  if (in_part) explain_from_whole(dir, outcome.damaged);
  return outcome;
}

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
