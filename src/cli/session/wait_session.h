// SPDX-License-Identifier: Apache-2.0
//
// `wait`: sleeps until a session, or the series that it is a part of, has come to its end or to a
// state, and emits what it then sees. Woken by the kernel; where that cannot tell, it looks each
// second and says so.
#pragma once

#include <optional>

#include "base/budget.h"
#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "cli/session/wait_reply.h"
#include "session/record/store.h"

namespace holdfast::cli {

// Without `wanted` the end is waited for. Errors: kNotFound `no-such-session`; a record that cannot
// be read.
Result<WaitReply> wait_for_session(Context& context, const session::SessionDir& dir,
                                   std::optional<SessionState> wanted, const Allowed& allowed,
                                   const Clock& clock);

}  // namespace holdfast::cli
