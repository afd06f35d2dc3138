// SPDX-License-Identifier: Apache-2.0
//
// What a loop may begin: what its source lists, and what the day's budget leaves.
//
// Guarantee: items are returned only where the command exited with 0, in time, left nobody behind
// who could add to its output, and every line of it is an item (format/loop/loop_source.h). Everything
// else is kCannotTell: `source-failed`, `source-timed-out`, `source-too-long`, `bad-source`. What
// it says on stderr goes to the caller's stderr.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "format/loop/loop_file.h"
#include "format/loop/loop_item.h"
#include "format/loop/loop_source.h"

namespace holdfast::loop {

struct SourceAnswer {
  std::string bytes{};
  SourceItems parsed{};
};

// `asked_to_end`: a signal that came meanwhile and ended it.
Result<SourceAnswer> ask_source(const Clock& clock, const LoopFile& file,
                                std::optional<int>* asked_to_end = nullptr);

// What was used on the day of `now`; `last` is of the day that was counted last. The day is the
// date of the wall clock, UTC: people count in those.
LoopDay day_of(const std::optional<LoopDay>& last, WallTime now);
// The first that is used up: "items", "failures" or "time".
std::optional<std::string> used_up(const LoopBudget& budget, const LoopDay& day);

}  // namespace holdfast::loop
