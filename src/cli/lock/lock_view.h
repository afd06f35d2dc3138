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

namespace holdfast::cli {

// "pid 4711 on host db1 since 2026-11-15T07:46:00Z (deploy)", as far as it is known. Not yet safe
// for a terminal (base/printable.h).
std::string holder_text(const lock::HolderView& holder);
// `pid host since reason command foreign evidence`
Json holder_json(const lock::HolderView& holder);

// `name state mode holder holders owner fence ttl_ms left_ms binding yields break_id waiters
// evidence …`
Json status_json(const lock::LockStatus& status);
// The facts of one lock, one to a line.
std::string status_text(const Context& context, const lock::LockStatus& status, WallTime now);
// One line for each, under a heading, as wide as the terminal.
std::string status_table(const Context& context, const std::vector<lock::LockStatus>& all,
                         WallTime now);

// A moment of the boot clock as a wall time, for people.
std::string wall_of(BootTime moment, const Clock& clock);

}  // namespace holdfast::cli
