// SPDX-License-Identifier: Apache-2.0
//
// From the facts of a run to its answer: the state, the exit code and whose word it is. Pure.
//
// In this order, the first that holds:
//   the supervisor is gone    69 (state `lost`): nobody knows
//   failed to start           127 not found, 126 not executable, 125 holdfast's own
//   something is left alive   72 (also after a deadline: "124" would read as "it is over")
//   the deadline fired        124, whatever the command did then
//   it was not confirmed      76 (state `unverified`): it exited with 0, and what looked at the
//                             outcome said no, or could not tell; or a lock that it ran under was
//                             lost
//   the supervisor failed     the code of that failure; the tree is ended and proven empty
//   the command ended         its own code, or 128+n
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "supervise/report.h"

namespace holdfast::supervise {

enum class RunState : std::uint8_t { kExited, kFailed, kTimedOut, kKilled, kUnverified, kLost };
std::string_view name(RunState state);

enum class By : std::uint8_t { kHoldfast, kCommand };
std::string_view name(By by);

struct Verdict {
  RunState state = RunState::kLost;
  By by = By::kHoldfast;
  int code = 0;
  std::optional<int> exit_code;  // the command's own
  std::optional<int> signal;     // that the command died of
  std::string_view reason;       // a stable word: exited, signal, deadline, survivors, not-found, …
};

Verdict judge(const RunReport& report);

}  // namespace holdfast::supervise
