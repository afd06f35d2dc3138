// SPDX-License-Identifier: Apache-2.0
#include "os/process/pid_in_use.h"

#include "os/process/pidfd.h"

namespace holdfast::os {

// A process that has ended keeps its number as long as anybody has a handle of it.
Result<bool> pid_in_use(Pid pid) {
  const auto opened = open_pidfd(pid);
  if (opened) return opened->has_value();
  if (opened.error().cause == "eacces") return true;  // somebody, who may not be asked
  return fail(opened.error());
}

}  // namespace holdfast::os
