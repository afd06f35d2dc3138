// SPDX-License-Identifier: Apache-2.0
//
// Waiting, for a series: between two iterations, and for one that goes on without its driver. The
// signals that ask to end are held back only here, and end the wait.
#pragma once

#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "session/record/store.h"

namespace holdfast::loop {

// The signal that asked to end; nullopt: the time is over.
Result<std::optional<int>> pause_until(const Clock& clock, BootTime moment);
// The same, and returns as well when something of the session may have changed.
Result<std::optional<int>> wait_for_change(const Clock& clock, const session::SessionDir& dir,
                                           BootTime moment);

}  // namespace holdfast::loop
