// SPDX-License-Identifier: Apache-2.0
//
// The budget of a day. Pure. The day is the date of the wall clock, UTC: people count in those.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "format/loop/loop_file.h"
#include "format/loop/loop_item.h"

namespace holdfast::loop {

// What was used on the day of `now`; `last` is of the day that was counted last.
LoopDay day_of(const std::optional<LoopDay>& last, WallTime now);
// The first that is used up: "items", "failures" or "time".
std::optional<std::string> used_up(const LoopBudget& budget, const LoopDay& day);

}  // namespace holdfast::loop
