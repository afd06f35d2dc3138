// SPDX-License-Identifier: Apache-2.0
#include "os/process/pid_in_use.h"

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

// Not kill(pid, 0): a signal by number has its one place (os/spawn/child.h), and this needs no rights.
Result<bool> pid_in_use(Pid pid) {
  if (number(pid) <= 0) return false;  // 0 would ask for the caller itself
  if (sys().getsid(number(pid)) != -1) return true;
  if (errno == ESRCH) return false;
  if (errno == EPERM || errno == EACCES) return true;  // a security module
  return fail(last_os_error("ask for process", std::to_string(number(pid))));
}

}  // namespace holdfast::os
