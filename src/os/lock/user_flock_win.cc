// SPDX-License-Identifier: Apache-2.0
#include "os/lock/user_flock.h"

#include "os/sys/not_offered_win.h"

namespace holdfast::os {

Result<Handle> open_user_lock(const std::string& path, LockFileAccess /*access*/) {
  return fail(not_offered("open lock file", path, "Windows has no flock(2)"));
}

bool may_read_and_write(const std::string& /*path*/) { return false; }

Result<FlockAnswer> flock_user_lock(NativeHandle /*descriptor*/, FlockMode /*mode*/,
                                    const FlockWait& /*wait*/, const std::string& subject) {
  return fail(not_offered("lock", subject, "Windows has no flock(2)"));
}

}  // namespace holdfast::os
