// SPDX-License-Identifier: Apache-2.0
//
// Locks for people: who holds one, what is seen of it. run/lock/lock_json.h is for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/frame/context.h"
#include "lock/grant/backend.h"
#include "lock/ledger/status.h"
#include "run/lock/lock_json.h"

namespace holdfast::cli {

using run::holder_json;
using run::name_waiting_sessions;
using run::status_json;

// The facts of one lock, one to a line.
std::string status_text(const Context& context, const lock::LockStatus& status, WallTime now);
// One line for each, under a heading, as wide as the terminal.
std::string status_table(const Context& context, const std::vector<lock::LockStatus>& all,
                         WallTime now);

}  // namespace holdfast::cli
