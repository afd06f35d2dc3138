// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>
#include <climits>

#include "os/os_error.h"
#include "os/program.h"
#include "os/sys_linux.h"

namespace holdfast::os {

Result<std::string> own_program_path() {
  constexpr const char* kLink = "/proc/self/exe";
  std::array<char, PATH_MAX> buffer;
  const ssize_t length = sys().readlinkat(AT_FDCWD, kLink, buffer.data(), buffer.size());
  if (length < 0) return fail(last_os_error("find the running program through", kLink));
  std::string path(buffer.data(), static_cast<std::size_t>(length));
  if (path.size() == buffer.size() || path.ends_with(" (deleted)")) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "find the running program through",
                 .subject = kLink,
                 .cause = "program-replaced",
                 .detail = "its file was replaced or removed after the start; start it again"});
  }
  return path;
}

Result<bool> is_executable_file(const std::string& path) {
  struct stat info{};
  if (sys().fstatat(AT_FDCWD, path.c_str(), &info, 0) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return false;
    return fail(last_os_error("look at", path));
  }
  if (!S_ISREG(info.st_mode)) return false;
  if (sys().faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0) return true;
  if (errno == EACCES) return false;
  return fail(last_os_error("look at", path));
}

}  // namespace holdfast::os
