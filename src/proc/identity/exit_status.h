// SPDX-License-Identifier: Apache-2.0
//
// How a command's end becomes a wrapper's exit code: its own code passes, death of signal n is
// 128+n, as in every shell. Which of the two it was cannot be read back from the number (a program
// may exit with 143); `--status-fd` and `--json` say it.
#pragma once

#include <string>

#include "base/exit_code.h"
#include "os/signal/signals.h"
#include "os/spawn/child.h"

namespace holdfast::proc {

inline int wrapper_exit_code(const os::ChildEnd& end) {
  return end.how == os::ChildEnd::How::kExited ? end.value : exit_status_of_signal(end.value);
}

// "exit code 3", "signal TERM".
inline std::string describe(const os::ChildEnd& end) {
  if (end.how == os::ChildEnd::How::kExited) return "exit code " + std::to_string(end.value);
  return "signal " + os::signal_name(end.value);
}

}  // namespace holdfast::proc
