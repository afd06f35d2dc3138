// SPDX-License-Identifier: Apache-2.0
//
// Starts that are kept apart (`--stagger D`): whoever was granted a slot reserves its own start, at
// least D behind the one before it, and sleeps until then.
//
// The times are in `HOME/locks/.starts`, replaced whole, under the lock of `.starts-lock`, which is
// held for the reading and the writing and never while somebody sleeps: a stopped starter holds
// nobody up. Death after a reservation leaves a gap of at most D, and nothing to repair. Times are
// on the boot clock; after a reboot, on the wall clock (format/json/due_time.h).
//
// Errors: kBusy `guard-timeout`; kCorrupt and kCannotTell of format/lock/starts_record.h: nothing is
// started on a guess.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::lock {

// How long to sleep. nullopt: it would be longer than `most` (which is nullopt for any time), and
// nothing was reserved.
Result<std::optional<Duration>> reserve_start(const os::Dir& locks, const Clock& clock,
                                              std::string_view name, Duration apart,
                                              std::optional<Duration> most);

// Files of HOME/locks that are no ledgers.
bool is_starts_file(std::string_view file);

}  // namespace holdfast::lock
