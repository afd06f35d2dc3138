// SPDX-License-Identifier: Apache-2.0
#include "os/namespaces.h"

#include <string>

#include "os/os_error.h"
#include "os/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr const char* kSelf = "/proc/self/ns";

// 0: there is no such link.
Result<std::uint64_t> inode_of(const char* path) {
  struct stat info{};
  if (sys().fstatat(AT_FDCWD, path, &info, 0) == 0) return info.st_ino;
  if (errno == ENOENT) return 0;
  return fail(last_os_error("look at namespace", path));
}

}  // namespace

Result<std::optional<std::uint64_t>> pid_namespace_of(Pid pid) {
  const std::string path = "/proc/" + std::to_string(number(pid)) + "/ns/pid";
  struct stat info{};
  if (sys().fstatat(AT_FDCWD, path.c_str(), &info, 0) == 0) return std::optional(info.st_ino);
  if (errno == ENOENT || errno == ESRCH) return std::optional<std::uint64_t>();
  return fail(last_os_error("look at namespace", path));
}

Result<Namespaces> own_namespaces() {
  Namespaces found;
  found.pid = HF_TRY(inode_of("/proc/self/ns/pid"));
  found.time = HF_TRY(inode_of("/proc/self/ns/time"));
  // A kernel without either still has the directory; a /proc that is not there has not.
  if (found.pid == 0 && HF_TRY(inode_of(kSelf)) == 0) {
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "look at",
                 .subject = kSelf,
                 .cause = "no-proc",
                 .detail = "/proc is not mounted, or does not show this process"});
  }
  return found;
}

}  // namespace holdfast::os
