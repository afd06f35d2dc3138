// SPDX-License-Identifier: Apache-2.0
#include "os/path/working_dir.h"

#include <array>
#include <climits>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<std::string> working_dir() {
  std::array<char, PATH_MAX> buffer;
  const char* path = sys().getcwd(buffer.data(), buffer.size());
  if (path == nullptr) return fail(last_os_error("find", "the working directory"));
  // The kernel marks a directory outside this root so; it is no path.
  if (*path != '/') return fail(os_error("find", "the working directory", ENOENT));
  return path;
}

}  // namespace holdfast::os
