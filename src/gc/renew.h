// SPDX-License-Identifier: Apache-2.0
//
// renew: when the ttl of a workspace begins to run.
//
// The ttl of a workspace does not run while somebody is attached to it or runs in it (facts.h). If
// that one died, nobody knows when: all that is known is that nobody was seen since. So the first
// clean-up that finds nobody any more notes that moment, and the ttl runs from there. The dead
// attachments go, and a run without an end gets one (run/orphan/old_run.h).
//
// Death at any point leaves the workspace as it was, or noted.
#pragma once

#include <string>
#include <vector>

#include "gc/options.h"

namespace holdfast::gc {

// Under the lock of each, without waiting; who is busy is asked by the next clean-up. What fails is
// a warning.
void renew_left(const Services& services, const std::vector<std::string>& names, Report& report);

}  // namespace holdfast::gc
