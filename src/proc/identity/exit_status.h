// SPDX-License-Identifier: Apache-2.0
//
// How a command's end becomes a wrapper's exit code: its own code passes, death of signal n is
// 128+n, as in every shell. Which of the two it was cannot be read back from the number (a program
// may exit with 143); `--status-fd` and `--json` say it.
#pragma once

#include <string>

#include "os/spawn/child.h"

namespace holdfast::proc {

int wrapper_exit_code(const os::ChildEnd& end);

// "exit code 3", "signal TERM".
std::string describe(const os::ChildEnd& end);

}  // namespace holdfast::proc
