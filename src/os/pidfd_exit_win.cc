// SPDX-License-Identifier: Apache-2.0
#include "os/pidfd_exit.h"

#include "os/end_code_win.h"
#include "os/native_win.h"
#include "os/pidfd.h"

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
