// SPDX-License-Identifier: Apache-2.0
#include "os/process/pidfs.h"

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::uint64_t kPidfsMagic = 0x50494446;  // PID_FS_MAGIC, newer than our headers

}  // namespace

Result<std::uint64_t> pidfs_inode(const Handle& pidfd) {
  struct statfs system{};
  if (retry_eintr([&] { return sys().fstatfs(fd_of(pidfd), &system); }) != 0) {
    return fail(last_os_error("look at a", "pidfd"));
  }
  if (static_cast<std::uint64_t>(system.f_type) != kPidfsMagic) return 0;
  struct stat info{};
  if (sys().fstat(fd_of(pidfd), &info) != 0) return fail(last_os_error("look at a", "pidfd"));
  return info.st_ino;
}

}  // namespace holdfast::os
