// SPDX-License-Identifier: Apache-2.0
//
// What Windows does not tell of locks, and the locks that it does not have.
#include "os/lock/lock_holders.h"
#include "os/lock/lock_path.h"
#include "os/lock/user_flock.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

Result<std::optional<LockHolder>> flock_holder(const FileId& /*id*/) {
  return fail(not_offered("find the holder of", "a lock", "Windows does not tell who has it"));
}

// Windows tells nobody who has locked a byte. An empty answer proves nothing.
std::vector<Pid> byte_holders(const FileId& /*file*/, std::uint64_t /*offset*/) { return {}; }

Result<Handle> open_user_lock(const std::string& path, LockFileAccess /*access*/) {
  return fail(not_offered("open lock file", path, "Windows has no flock(2)"));
}

Result<LockPath> find_lock_path(const std::string& path) {
  return fail(not_offered("lock", path,
                          "Windows has no flock(2); use --file, which locks a file beside it"));
}

Result<std::optional<OpenedFile>> open_lock_path(const Dir& dir, const SafeName& name,
                                                 MakeLockPath /*make*/) {
  return fail(not_offered("lock", dir.path_of(name), "Windows has no flock(2)"));
}

bool may_read_and_write(const std::string& /*path*/) { return false; }

Result<FlockAnswer> flock_user_lock(NativeHandle /*descriptor*/, FlockMode /*mode*/,
                                    const FlockWait& /*wait*/, const std::string& subject) {
  return fail(not_offered("lock", subject, "Windows has no flock(2)"));
}

Result<FlockAnswer> fcntl_user_lock(NativeHandle /*descriptor*/, FlockMode /*mode*/,
                                    const UserRange& /*range*/, const FlockWait& /*wait*/,
                                    const std::string& subject) {
  return fail(not_offered("lock", subject, "Windows has no fcntl(2)"));
}

struct WaitLimit::Armed {};

Result<std::unique_ptr<WaitLimit>> WaitLimit::start(Duration /*limit*/) {
  return fail(not_offered("set up", "a timer", "Windows has no signal that interrupts a call"));
}

WaitLimit::WaitLimit(Duration deadline) : deadline_(deadline) {}
WaitLimit::~WaitLimit() = default;
bool WaitLimit::passed() const { return true; }

}  // namespace holdfast::os
