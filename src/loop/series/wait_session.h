// SPDX-License-Identifier: Apache-2.0
//
// wait_for_session: sleeps until a session, or the series that it is a part of, has come to its end
// or to a state. Woken by the kernel; where that cannot tell, it looks each
// second and says so.
#pragma once

#include <optional>

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
// Without `wanted` the end is waited for. Errors: kNotFound `no-such-session`; a record that cannot
// be read.
Result<Waited> wait_for_session(runtime::Runtime& runtime, Reporter& reporter,
                                const session::SessionDir& dir, std::optional<SessionState> wanted,
                                const Allowed& allowed);

}  // namespace holdfast::loop
