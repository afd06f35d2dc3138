// SPDX-License-Identifier: Apache-2.0
#include "os/lock/user_flock.h"

#include <sys/file.h>
#include <unistd.h>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr mode_t kMode = 0666;
constexpr int kFirstOfOurs = STDERR_FILENO + 1;

int operation_of(FlockMode mode, bool no_wait) {
  const int kind = mode == FlockMode::kShared      ? LOCK_SH
                   : mode == FlockMode::kExclusive ? LOCK_EX
                                                   : LOCK_UN;
  return no_wait ? kind | LOCK_NB : kind;
}

Handle user_flock_open_at(const std::string& path, int flags) {
  return Handle(retry_eintr([&] { return sys().openat(AT_FDCWD, path.c_str(), flags, kMode); }));
}

}  // namespace

Result<Handle> open_user_lock(const std::string& path, LockFileAccess access) {
  constexpr const char* kOp = "open lock file";
  const bool write = access == LockFileAccess::kReadWrite;
  Handle opened = user_flock_open_at(path, (write ? O_RDWR : O_RDONLY) | O_CREAT | O_NOCTTY);
  if (!opened.valid() && errno == EISDIR && !write)
    opened = user_flock_open_at(path, O_RDONLY | O_NOCTTY);
  if (!opened.valid()) return fail(last_os_error(kOp, path));
  if (fd_of(opened) >= kFirstOfOurs) return opened;
  Handle higher(sys().fcntl_dupfd(fd_of(opened), kFirstOfOurs));
  if (!higher.valid()) return fail(last_os_error(kOp, path));
  return higher;
}

bool may_read_and_write(const std::string& path) {
  return sys().faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, 0) == 0;
}

Result<FlockAnswer> flock_user_lock(NativeHandle descriptor, FlockMode mode, const FlockWait& wait,
                                    const std::string& subject) {
  const int operation = operation_of(mode, wait.no_wait);
  for (;;) {
    if (sys().flock(static_cast<int>(descriptor), operation) == 0) return FlockAnswer::kDone;
    if (errno == EWOULDBLOCK) return FlockAnswer::kHeldByAnother;
    if (errno != EINTR) return fail(last_os_error("lock", subject));
    if (wait.limit != nullptr && wait.limit->passed()) return FlockAnswer::kTimeIsUp;
  }
}

}  // namespace holdfast::os
