// SPDX-License-Identifier: Apache-2.0
//
// From the operating system's error number to an Error: one function, one mapping.
//
// The code is chosen by what the caller should do:
//   does not exist                         kNotFound
//   a link where none may be               kRefused
//   no rights, read-only, limits reached   kOsRefused
//   disk full, quota, device error,
//   damaged file system                    kIo
//   locked or busy just now                kBusy
//   anything else                          kOsRefused
// `cause` is the errno name in lower case on every platform (`enospc`, `eacces`, …); a Windows
// error that has no such name is `win32-NUMBER`.
//
// One number has two meanings: EAGAIN is kBusy here, "not now", but from fork(2) it is a limit
// reached; fork_process (os/spawn/child.h) says kOsRefused itself.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace holdfast::os {

// The error number left by the last failed call of this thread.
int last_os_code();

// `detail` is the system's own sentence, followed by `; STATE` where the caller says what is left.
Error os_error(std::string_view op, std::string_view subject, int os_code,
               std::string_view state = {});

// The same, for the last failed call of this thread.
Error last_os_error(std::string_view op, std::string_view subject, std::string_view state = {});

}  // namespace holdfast::os
