// SPDX-License-Identifier: Apache-2.0
//
// Locks for people and for programs: who holds one, what is seen of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/frame/context.h"
#include "lock/grant/backend.h"
#include "lock/ledger/status.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

// `pid host since reason command foreign evidence`
Json holder_json(const lock::HolderView& holder);

// `name state mode holder holders owner fence ttl_ms left_ms binding yields break_id waiters
// evidence …`
Json status_json(const lock::LockStatus& status);
// Fills in which waiters are supervisors of sessions.
void name_waiting_sessions(lock::LockStatus& status, runtime::Runtime& runtime);
// The facts of one lock, one to a line.
std::string status_text(const Context& context, const lock::LockStatus& status, WallTime now);
// One line for each, under a heading, as wide as the terminal.
std::string status_table(const Context& context, const std::vector<lock::LockStatus>& all,
                         WallTime now);

}  // namespace holdfast::cli
