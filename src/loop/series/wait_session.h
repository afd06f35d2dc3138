// SPDX-License-Identifier: Apache-2.0
//
// wait_for_sessions: sleeps until sessions, or the series that they are parts of, have come to their
// ends or to a state. Woken by the kernel; where that cannot tell, it looks each second and says so.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/reporter.h"
#include "base/result.h"
#include "loop/series/wait_reply.h"
#include "runtime/runtime.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::loop {

struct Waited {
  WaitReply reply{};
  std::optional<session::SessionView> view{};  // as it was seen last; none before it began
};

enum class WaitFor : std::uint8_t {
  kAll,
  kAny,  // the first that ends, or comes to the state; that one can no longer come ends no wait
};

// One for each of `dirs`, in their order; nullopt: it goes on, and another was first. Without
// `wanted` the end is waited for. Of each name the run is waited for that is there at the start:
// whatever begins under it later is another. Errors: kNotFound `no-such-session`; a record that
// cannot be read.
Result<std::vector<std::optional<Waited>>> wait_for_sessions(
    runtime::Runtime& runtime, Reporter& reporter, std::span<const session::SessionDir> dirs,
    std::optional<SessionState> wanted, WaitFor how, const Allowed& allowed);

}  // namespace holdfast::loop
