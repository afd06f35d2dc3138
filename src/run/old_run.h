// SPDX-License-Identifier: Apache-2.0
//
// What the last run of a name left behind, before the next one begins. The caller holds the name.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "session/store.h"

namespace holdfast::run {

// Moves the record and the log of the last run aside and returns the number of the next one. A run
// that is over without a record of it (its supervisor died, and nothing of it is left) gets its
// final state first.
//
// Errors: kBusy `session-live`; kCannotTell `session-orphaned`: something of it may still run;
// kCannotTell `session-unknown`: whether it does cannot be told from here; of session/store.h.
Result<std::uint64_t> leave_old_run_behind(const session::SessionDir& dir, const Clock& clock);

// kCannotTell `session-orphaned`.
Error orphaned_error(const std::string& name);

}  // namespace holdfast::run
