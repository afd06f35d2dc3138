// SPDX-License-Identifier: Apache-2.0
//
// `stop` of sessions that may be driven by `run --iterations`: the run, and whoever would start the
// next one.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "lock/grant/local_lock.h"
#include "run/orphan/stop.h"
#include "session/record/store.h"

namespace holdfast::loop {

// run::stop_sessions, and then the driver of each (loop/series/series_status.h): a session between two
// iterations is `killed`, evidence `series-stopped`, when its driver has ended. One that does not
// end is `unproven`, evidence `series-goes-on`. With --assume-gone no driver is looked for.
std::vector<run::StopReport> stop_with_series(const run::OrphanServices& services,
                                              const session::SessionStore& sessions,
                                              const std::vector<std::string>& names,
                                              const run::StopOrder& order);

// Is there a series of this name that somebody drives, or may?
bool is_driven(lock::LocalBackend& locks, const session::SessionStore& sessions, const Clock& clock,
               const std::string& name);

}  // namespace holdfast::loop
