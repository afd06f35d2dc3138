// SPDX-License-Identifier: Apache-2.0
//
// What the last run of a name left behind, before the next one begins. The caller holds the name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/session_record.h"
#include "session/record/store.h"

namespace holdfast::run {

// Proves that the last run is over and returns its record; nullopt: there was none. A run that is
// over without a record of it (its supervisor died, and nothing of it is left) gets its final state
// first.
//
// Errors: kBusy `session-live`; kCannotTell `session-orphaned`: something of it may still run;
// kCannotTell `session-unknown`: whether it does cannot be told from here; of session/record/store.h.
Result<std::optional<SessionRecord>> prove_old_run_over(const session::SessionDir& dir,
                                                        const Clock& clock);

// Moves the record and the log of `last` aside and returns the number of the next run.
Result<std::uint64_t> leave_old_run_behind(const session::SessionDir& dir,
                                           const std::optional<SessionRecord>& last);

// kCannotTell `session-orphaned`.
Error orphaned_error(const std::string& name);

}  // namespace holdfast::run
