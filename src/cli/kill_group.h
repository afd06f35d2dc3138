// SPDX-License-Identifier: Apache-2.0
//
// The control group of a session as proc::TreeKiller: with it, `kill NAME --tree` ends with the
// kernel's word that nobody is left.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "proc/kill.h"

namespace holdfast::cli {

// Null where `typed` is no session's name, or its record names no group that is there. A group is
// believed only if it is named after the record's own run (proc/cgroup_find.h).
Result<std::unique_ptr<proc::TreeKiller>> group_of_session(const Context& context,
                                                           const std::string& typed);

}  // namespace holdfast::cli
