// SPDX-License-Identifier: Apache-2.0
#include "os/path/real_path.h"

#include <array>
#include <climits>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<std::string> real_path_of(const Dir& dir) {
  const std::string link = "/proc/self/fd/" + std::to_string(dir.native());
  std::array<char, PATH_MAX> buffer;
  const ssize_t length = sys().readlinkat(AT_FDCWD, link.c_str(), buffer.data(), buffer.size());
  if (length < 0) return fail(last_os_error("find the real path of", dir.path()));
  std::string path(buffer.data(), static_cast<std::size_t>(length));
  if (path.size() == buffer.size() || !path.starts_with('/') || path.ends_with(" (deleted)")) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "find the real path of",
                 .subject = dir.path(),
                 .cause = "no-real-path",
                 .detail = "it was removed, or cannot be named from here"});
  }
  return path;
}

}  // namespace holdfast::os
