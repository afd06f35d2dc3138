// SPDX-License-Identifier: Apache-2.0
//
// Writes a valid journal of EVENTS events directly into DIR, fast: many events with each write. Its
// clock goes through 60 days, so that questions about days have something to tell apart.
#include <vector>

#include "journal_bench.h"
#include "journal_sample.h"

namespace holdfast::bench {
namespace {

constexpr std::uint64_t kBatch = 500;
constexpr std::int64_t kFirst = 1'790'000'000;  // seconds since 1970: September 2026
constexpr std::int64_t kSixtyDaysUs = std::int64_t{60} * 86'400 * 1'000'000;

// Each look at it is a step: the journal looks once for each event.
class SteppingClock final : public Clock {
 public:
  explicit SteppingClock(std::uint64_t events)
      : step_(kSixtyDaysUs / static_cast<std::int64_t>(events)) {}

  [[nodiscard]] WallTime wall() const override {
    at_ += step_;
    return wall_time_from_unix(kFirst, 0) + at_;
  }
  [[nodiscard]] BootTime boot() const override { return BootTime(at_); }
  [[nodiscard]] MonoTime mono() const override { return MonoTime(at_); }

 private:
  std::chrono::microseconds step_;
  mutable std::chrono::microseconds at_{0};
};

}  // namespace

int make(const std::string& dir, std::uint64_t events) {
  const SteppingClock clock(events);
  const auto journal = open_journal(dir, clock);
  std::vector<Event> batch;
  for (std::uint64_t i = 0; i < events; ++i) {
    batch.push_back(sample_event(i));
    if (batch.size() < kBatch && i + 1 < events) continue;
    must(journal->record_all(batch));
    batch.clear();
  }
  return 0;
}

}  // namespace holdfast::bench
