// SPDX-License-Identifier: Apache-2.0
//
// `logs -f`: what a run prints, as it comes, to its end; of a session that `run --iterations`
// drives, one iteration after the other until the series has ended.
//
// Limits: iterations that are no longer kept when their turn comes are skipped. What is written at
// the budget's end stays written; the answer is kBusy, cause `budget`.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "cli/frame/context.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::cli {

enum class FollowUntil : std::uint8_t { kRunEnds, kSeriesEnds };

struct FollowOrder {
  std::uint64_t run = 1;                // its number
  std::optional<std::uint64_t> tail{};  // begin with the last lines
  FollowUntil until = FollowUntil::kSeriesEnds;
};

// The exit code: 0 at the end, 74 where the reader of the output went away.
Result<int> follow_log(Context& context, const session::SessionDir& dir, const FollowOrder& order);

// Nothing will be added to the log of run `number` any more. Nobody writes what an orphan prints.
bool is_complete(const std::optional<session::SessionView>& view, std::uint64_t number);
Error no_log(const session::SessionDir& dir);

}  // namespace holdfast::cli
