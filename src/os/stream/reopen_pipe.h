// SPDX-License-Identifier: Apache-2.0
//
// reopen_pipe: the reading end of a pipe that another process has as one of its descriptors, for
// who takes over from the one who had it.
//
// Only of a descriptor that is a pipe and was opened to read and to write at once, which is what
// unbreakable_end (os/stream/pipe.h) makes and hardly anybody else: reading from a pipe that the process
// has opened for a purpose of its own would take away what is meant for another.
//
// nullopt: the descriptor is something else, or not there. `pidfd` pins the process whose number it
// is; it had not ended afterwards. Errors: kOsRefused where the kernel does not permit it.
// Platform: Linux only.
#pragma once

#include <optional>

#include "base/result.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"

namespace holdfast::os {

Result<std::optional<Handle>> reopen_pipe(Pid pid, const Handle& pidfd, int descriptor);

}  // namespace holdfast::os
