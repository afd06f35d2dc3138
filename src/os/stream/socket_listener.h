// SPDX-License-Identifier: Apache-2.0
//
// Who listens at a socket of the file system, as the kernel knows it: not who says so.
//
// It connects, says nothing, and lets go. Limits: who listens is who called listen(2), also where
// it has handed the socket to another process since, or has ended and the socket was inherited. A
// listener in another pid namespace has no number here: 0. A name that is longer than a socket's
// address can be (107 bytes) is `enametoolong`.
//
// Errors: os_error's: `enoent`, `econnrefused` where nobody listens; `eagain` where the listener
// takes no more. Platform: Linux only.
#pragma once

#include <string>

#include "base/result.h"
#include "os/process/pid.h"

namespace holdfast::os {

Result<Pid> listener_of(const std::string& path);

}  // namespace holdfast::os
