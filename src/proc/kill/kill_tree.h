// SPDX-License-Identifier: Apache-2.0
//
// The part of a kill (proc/kill/kill.h) that goes for a whole tree: the process that is meant, what is
// below it, and orphans that carry its run id.
#pragma once

#include <vector>

#include "base/event.h"
#include "base/result.h"
#include "os/sys/handle.h"
#include "proc/kill/kill.h"

namespace holdfast::proc {

struct TreeTarget {
  Identity leader{};
  os::Handle pidfd{};  // of the leader, proven; empty: it has ended
};

// `report` has what is known so far. `above`: the numbers of those above the caller. An Error:
// nothing was signalled.
Result<KillReport> kill_tree(TreeTarget target, const KillOrder& order,
                             const std::vector<os::Pid>& above, KillReport report, EventSink& sink);

}  // namespace holdfast::proc
