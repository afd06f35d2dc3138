// SPDX-License-Identifier: Apache-2.0
//
// Handles that somebody else opened for us.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// Takes over a descriptor that the caller opened and named by number (`--status-fd 3`).
//
// Guarantee: the handle is open for writing and, from here on, close-on-exec, so that the command
// does not get it. 0, 1 and 2 belong to the command and are refused. Call it before anything else
// is opened, else the number may be one of our own.
// Errors: kUsage with cause `bad-descriptor`.
Result<Handle> adopt_for_writing(std::uint64_t number);

// A second handle to the same open file, whatever it is; one of our own, from 3 on.
Result<Handle> copy_handle(NativeHandle handle);

// What one start of this program hands over to another (supervise/hosted_program.h). Windows only.

// The handle of that value, which the starter has made inheritable; from here on it is not.
// kRefused `bad-descriptor` where it is no open pipe.
Result<Handle> adopt_handed_over(std::uint64_t value);

// A variable of this process's own environment, taken away.
Result<> take_env_away(const char* name);

// To write to and read from: NUL.
Result<Handle> open_nothing();

}  // namespace holdfast::os
