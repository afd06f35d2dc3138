// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/exit_status.h"

#include "base/exit_code.h"
#include "os/signal/signals.h"

namespace holdfast::proc {

int wrapper_exit_code(const os::ChildEnd& end) {
  return end.how == os::ChildEnd::How::kExited ? end.value : exit_status_of_signal(end.value);
}

std::string describe(const os::ChildEnd& end) {
  if (end.how == os::ChildEnd::How::kExited) return "exit code " + std::to_string(end.value);
  return "signal " + os::signal_name(end.value);
}

}  // namespace holdfast::proc
