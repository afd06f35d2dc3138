// SPDX-License-Identifier: Apache-2.0
#include "os/process/pidfd_exit.h"

#include "os/process/pidfd.h"
#include "os/spawn/end_code_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

// Every handle tells the exit code, whoever started the process.
PidfdExit pidfd_exit(const Handle& pidfd) {
  const auto ended = has_ended(pidfd);
  if (!ended) return {.state = PidfdExit::State::kCannotTell};
  if (!*ended) return {.state = PidfdExit::State::kNotYet};
  DWORD code = 0;
  if (sys().GetExitCodeProcess(handle_of(pidfd), &code) == FALSE) {
    return {.state = PidfdExit::State::kCannotTell};
  }
  return {.state = PidfdExit::State::kEnded, .end = end_of_code(Pid{}, code)};
}

}  // namespace holdfast::os
