// SPDX-License-Identifier: Apache-2.0
//
// The control group of a session as proc::TreeKiller: with it, `kill NAME --tree` ends with the
// kernel's word that nobody is left.
#pragma once

#include <memory>

#include "base/result.h"
#include "format/session/session_record.h"
#include "proc/kill/kill.h"

namespace holdfast::cli {

// Null if the record names no group that is there. A group is believed only if it is named after
// the record's own run (proc/tree/cgroup_find.h).
Result<std::unique_ptr<proc::TreeKiller>> group_of_session(const SessionRecord& record);

}  // namespace holdfast::cli
