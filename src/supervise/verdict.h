// SPDX-License-Identifier: Apache-2.0
//
// From the facts of a run to its answer: the state and the reason. Which exit code says so, and
// whose word that is, is in format/session/outcome.h. Pure.
//
// In this order, the first that holds:
//   the supervisor is gone    `lost`
//   failed to start           `failed`
//   something is left alive   reason `survivors`, also after a deadline
//   the deadline fired        `timed_out`
//   it was not confirmed      `unverified`: it exited with 0, and what looked at the outcome said
//                             no, or could not tell; or a lock that it ran under was lost
//   the supervisor failed     the reason of that failure; the tree is ended and proven empty
//   the command ended         `exited`, `killed`
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/session/session_record.h"
#include "supervise/report.h"

namespace holdfast::supervise {

enum class By : std::uint8_t { kHoldfast, kCommand };
std::string_view name(By by);

struct Verdict {
  SessionState state = SessionState::kLost;  // a final one
  By by = By::kHoldfast;
  int code = 0;
  std::optional<int> exit_code;  // the command's own
  std::optional<int> signal;     // that the command died of
  std::string_view reason;       // a stable word: exited, signal, deadline, survivors, not-found, …
};

Verdict judge(const RunReport& report);

}  // namespace holdfast::supervise
