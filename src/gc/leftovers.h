// SPDX-License-Identifier: Apache-2.0
//
// What a `session new` that died leaves in sessions/: a directory under the name of its stage, with
// a lock in it that its maker holds as long as it lives. It has no name that anybody waits for, so
// it is removed where it lies.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "gc/options.h"

namespace holdfast::gc {

// Those that did not change for `grace` by the wall clock, and whose lock is free.
void remove_stages(const Services& services, Duration grace, const std::vector<std::string>& stages,
                   Report& report);

}  // namespace holdfast::gc
