// SPDX-License-Identifier: Apache-2.0
#include "loop/item/budget.h"

#include "format/text/rfc3339.h"

namespace holdfast::loop {

LoopDay day_of(const std::optional<LoopDay>& last, WallTime now) {
  constexpr std::size_t kDateDigits = 10;
  std::string date = format_rfc3339(now).substr(0, kDateDigits);
  if (last && last->day == date) return *last;
  return {.day = std::move(date)};
}

std::optional<std::string> used_up(const LoopBudget& budget, const LoopDay& day) {
  if (budget.items && day.begun >= *budget.items) return "items";
  if (budget.failures && day.failures >= *budget.failures) return "failures";
  if (budget.time && day.time >= *budget.time) return "time";
  return std::nullopt;
}

}  // namespace holdfast::loop
