// SPDX-License-Identifier: Apache-2.0
#include "os/process/pidfd_exit.h"

#include <sys/wait.h>

#include "os/sys/native_linux.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

namespace {

bool ask_for_exit(const Handle& pidfd, PidfdInfo& info) {
  info = PidfdInfo{};
  info.mask = kPidfdInfoExit;
  return sys().ioctl_pidfd_info(fd_of(pidfd), &info) == 0;
}

}  // namespace

PidfdExit pidfd_exit(const Handle& pidfd) {
  PidfdInfo info{};
  // One that is reaped while it is asked about is ESRCH; the next answer has how it ended.
  if (!ask_for_exit(pidfd, info) && (errno != ESRCH || !ask_for_exit(pidfd, info))) {
    // Before 6.15 a reaped process is ESRCH; a kernel without the question says ENOTTY or EINVAL.
    return {.state = PidfdExit::State::kCannotTell};
  }
  if ((info.mask & kPidfdInfoExit) == 0) return {.state = PidfdExit::State::kNotYet};
  ChildEnd end;
  if (WIFSIGNALED(info.exit_code)) {
    end.how = ChildEnd::How::kSignalled;
    end.value = WTERMSIG(info.exit_code);
  } else {
    end.value = WEXITSTATUS(info.exit_code);
  }
  return {.state = PidfdExit::State::kEnded, .end = end};
}

}  // namespace holdfast::os
