// SPDX-License-Identifier: Apache-2.0
//
// The members of a control group (v2) and of the groups below it: listing them, and signalling one
// without hitting another.
//
// Guarantee: nobody is signalled who was not in the group at that moment; cgroup_members.cc has the
// argument. Limit: who forks behind a listing is missed by it: the proof that a group is empty is
// `populated 0` (cgroup.h).
// Errors: kOsRefused and the like where the lists cannot be read, or there are no pidfds here.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/process/pid.h"
#include "proc/tree/cgroup.h"

namespace holdfast::proc {

Result<CgroupMembers> list_members(const os::Dir& group);

// Who was reached by all of `signals`, sent in this order.
Result<std::vector<os::Pid>> signal_members(const os::Dir& group, const std::vector<int>& signals,
                                            const std::function<bool(os::Pid)>& wanted);

// Calls `visit` for each group directly below; a link is not one.
Result<> each_group_below(const os::Dir& group,
                          const std::function<Result<>(const os::SafeName&)>& visit);

inline constexpr int kMaxGroupDepth = 64;  // below the first; deeper ones are not walked

}  // namespace holdfast::proc
