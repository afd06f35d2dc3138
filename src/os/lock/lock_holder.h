// SPDX-License-Identifier: Apache-2.0
//
// Who holds a flock, as the kernel names it, for messages: "busy" without a name helps nobody.
//
// Limits: only flock (not byte ranges); a process of another pid namespace has no number here; the
// answer is a look at one moment. The kernel lists the process that took the lock; a child that has
// inherited it is not told apart. Errors: kOsRefused where /proc does not tell.
// Windows does not tell: kOsRefused `unsupported`.
#pragma once

#include <optional>

#include "base/result.h"
#include "os/file/file_info.h"
#include "os/process/pid.h"

namespace holdfast::os {

struct LockHolder {
  std::optional<Pid> pid;  // none: of another pid namespace
};

// nullopt: nobody, by now.
Result<std::optional<LockHolder>> flock_holder(const FileId& id);

}  // namespace holdfast::os
