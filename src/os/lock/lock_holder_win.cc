// SPDX-License-Identifier: Apache-2.0
#include "os/lock/lock_holder.h"

#include "os/sys/not_offered_win.h"

namespace holdfast::os {

Result<std::optional<LockHolder>> flock_holder(const FileId& /*id*/) {
  return fail(not_offered("find the holder of", "a lock", "Windows does not tell who has it"));
}

}  // namespace holdfast::os
