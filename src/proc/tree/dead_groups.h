// SPDX-License-Identifier: Apache-2.0
//
// remove_dead_groups: the control groups (v2) of runs whose supervisor was killed: a run without a
// name has no record, so nobody else knows of its group.
//
// Guarantee: a group goes only if it is named as cgroup_name() names them, belongs to this user, its
// supervisor is dead (whoever makes a group holds the lock of its directory as long as it lives;
// see CgroupTree::make), and nobody is in it or below it (the kernel refuses to remove one that has
// somebody). So for a session whose record names it the answer stays the same: a group that is
// gone is empty (cgroup_find.h).
//
// Limit: groups of version 1, which carry limits alone. An older holdfast holds no such lock: its
// group may go while nobody is in it, before its command is or after all have ended; it then does
// without.
#pragma once

#include <cstddef>

#include "proc/tree/cgroup_place.h"

namespace holdfast::proc {

// Below `top`; the number of those that were removed. What cannot be looked at stays.
std::size_t remove_dead_groups(const os::Dir& top);
// Of all that is mounted here; none where there are no groups.
std::size_t remove_dead_groups();

}  // namespace holdfast::proc
