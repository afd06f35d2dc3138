// SPDX-License-Identifier: Apache-2.0
//
// The children of this process that nobody has reaped; for src/os/*/*_win.cc only.
//
// Windows has no such list and no zombies: a process that has ended is there as long as somebody
// has a handle to it, and its number is not given to another meanwhile. So a handle to each child
// is kept here from its start until it is reaped, which makes its number mean it, as on Linux.
#pragma once

#include "base/result.h"
#include "os/process/pid.h"
#include "os/process/pidfd.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// A copy of the handle is kept.
Result<> note_child(Pid pid, const Handle& process);

// Asks everybody in the process group that `pid` leads, or ends this one process (KILL).
Result<Sent> signal_group_or_kill(const Handle& process, Pid pid, int signal);

}  // namespace holdfast::os
