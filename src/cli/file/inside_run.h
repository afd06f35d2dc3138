// SPDX-License-Identifier: Apache-2.0
//
// What is meant to outlive the command that starts it cannot be started inside a run.
//
// A run ends with its whole tree: its supervisor is the reaper of everything below it, and neither
// a session of one's own nor another control group gets a process out of that. On Windows the job
// does the same. So a run that is detached there would be ended with the outer one, after its
// caller was told that it goes on. To let it out, the proof of an empty tree would have to know an
// exception; it has none. It is refused instead, the same way on every system.
//
// Inside is who carries HOLDFAST_RUN, which the commands of `write`, `update` and `until` do, too.
// HOLDFAST_DEADLINE means a lease (`lock --ttl`): what runs under it is ended when it is lost.
// Limit: who was started there with another environment (`env -i`) is not told from one outside.
#pragma once

#include <string>

#include "base/result.h"

namespace holdfast::cli {

inline constexpr const char* kInsteadOfDetach =
    "start it from outside, or leave --detach out: with `&` it runs beside you until then";

// `what` is refused inside a run, and `instead` says what to do there. Errors: kUsage `inside-run`,
// `inside-lease`.
Result<> refuse_inside_run(const std::string& what, const std::string& instead);

}  // namespace holdfast::cli
