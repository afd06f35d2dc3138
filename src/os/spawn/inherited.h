// SPDX-License-Identifier: Apache-2.0
//
// Taking over a descriptor that the caller opened for us and named by number (`--status-fd 3`).
//
// Guarantee: the handle is open for writing and, from here on, close-on-exec, so that the command
// does not get it. 0, 1 and 2 belong to the command and are refused. Call it before anything else
// is opened, else the number may be one of our own.
// Errors: kUsage with cause `bad-descriptor`.
#pragma once

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

Result<Handle> adopt_for_writing(std::uint64_t number);

// A second handle to the same open file, whatever it is; one of our own, from 3 on.
Result<Handle> copy_handle(NativeHandle handle);

}  // namespace holdfast::os
