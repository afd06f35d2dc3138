// SPDX-License-Identifier: Apache-2.0
//
// bring_back: a directory outside of the home that lies in the trash beside its place while its
// workspace is there goes back: a clean-up died between the two moves, and the workspace turned out
// to be needed after all.
#pragma once

#include <string>
#include <vector>

#include "gc/options.h"

namespace holdfast::gc {

// Under the lock of each, without waiting. What cannot go back is a warning.
void bring_back(const Services& services, const std::vector<std::string>& names, Report& report);

}  // namespace holdfast::gc
