// SPDX-License-Identifier: Apache-2.0
//
// Does anybody have this number? Asked of the kernel itself, where /proc may hide processes
// (hidepid) and a pidfd is not to be had.
//
// False is the kernel's ESRCH: nobody, in the caller's pid namespace. True says nothing about who
// it is: a process, reaped or not, or one thread of a process with another number.
// Windows: true as long as anybody has a handle of the process, and for one that may not be asked.
#pragma once

#include "base/result.h"
#include "os/process/pid.h"

namespace holdfast::os {

Result<bool> pid_in_use(Pid pid);

}  // namespace holdfast::os
