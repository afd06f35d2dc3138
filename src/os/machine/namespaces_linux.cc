// SPDX-License-Identifier: Apache-2.0
#include "os/machine/namespaces.h"

#include <cstdio>
#include <string>

#include "os/process/proc_fs.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

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

// A shift in nanoseconds, of which 52 bits are mixed into a number that is no inode, and that every
// reader of JSON keeps.
std::uint64_t number_of_shift(std::int64_t seconds, std::int64_t nanoseconds) {
  const auto shift = static_cast<std::uint64_t>((seconds * 1'000'000'000) + nanoseconds);
  return (std::uint64_t{1} << 52) | ((shift * 0x9E3779B97F4A7C15) >> 12);
}

// The kernel shows the shift for this process's next child. That is its own where the two
// namespaces are the same, as they are unless it has made one for its children.
Result<std::uint64_t> own_boot_clock() {
  const std::uint64_t inode = HF_TRY(inode_of("/proc/self/ns/time"));
  if (inode == 0 || inode == kInitialTimeNamespace) return inode;
  if (HF_TRY(inode_of("/proc/self/ns/time_for_children")) != inode) return inode;
  const std::string text = HF_TRY(read_own_proc_file("timens_offsets")).value_or("");
  long long seconds = 0;
  long long nanoseconds = 0;
  const std::size_t line = text.find("boottime");
  if (line == std::string::npos ||
      std::sscanf(text.c_str() + line, "boottime %lld %lld", &seconds, &nanoseconds) != 2) {
    return inode;
  }
  if (seconds == 0 && nanoseconds == 0) return kInitialTimeNamespace;
  return number_of_shift(seconds, nanoseconds);
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
  found.time = HF_TRY(own_boot_clock());
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
