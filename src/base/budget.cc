// SPDX-License-Identifier: Apache-2.0
#include "base/budget.h"

#include <algorithm>

#include "base/clock.h"

namespace holdfast {
namespace {

constexpr Duration kMostKeptBack = std::chrono::milliseconds(250);
constexpr int kPartKeptBack = 10;
constexpr int kPartForTheEnd = 4;

struct Budget {
  Duration total{};
  MonoTime waits_until{};
  MonoTime until{};
};

// Written before anything else runs, and read only afterwards.
std::optional<Budget> the_budget;

Duration left(MonoTime until, MonoTime now) { return std::max(until - now, Duration::zero()); }

Allowed shorter(std::optional<Duration> wanted, Duration most) {
  if (wanted && *wanted <= most) return {.time = wanted};
  return {.time = most, .by_budget = true};
}

}  // namespace

void set_budget(MonoTime start, Duration total) {
  const Duration kept = std::min(total / kPartKeptBack, kMostKeptBack);
  the_budget = Budget{
      .total = total, .waits_until = after(start, total - kept), .until = after(start, total)};
}

void forget_budget() { the_budget.reset(); }

std::optional<Duration> budget() {
  if (!the_budget) return std::nullopt;
  return the_budget->total;
}

std::optional<MonoTime> budget_end() {
  if (!the_budget) return std::nullopt;
  return the_budget->waits_until;
}

Allowed within_budget(std::optional<Duration> wanted, MonoTime now) {
  if (!the_budget) return {.time = wanted};
  return shorter(wanted, left(the_budget->waits_until, now));
}

Duration within_whole_budget(Duration wanted, MonoTime now) {
  if (!the_budget) return wanted;
  return std::min(wanted, left(the_budget->until, now));
}

Allowed tree_within_budget(std::optional<Duration> timeout, Duration grace, MonoTime now) {
  if (!the_budget) return {.time = timeout};
  const Duration all = left(the_budget->waits_until, now);
  return shorter(timeout, all - std::min(grace, all / kPartForTheEnd));
}

}  // namespace holdfast
