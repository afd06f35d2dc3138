// SPDX-License-Identifier: Apache-2.0
#include "os/file/birth_time.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<std::int64_t> birth_time_of(const Dir& dir) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  struct statx found{};
  if (sys().statx(static_cast<int>(dir.native()), "", AT_EMPTY_PATH, STATX_BTIME, &found) != 0) {
    if (errno == ENOSYS || errno == EPERM) return 0;
    return fail(last_os_error("look at", dir.path()));
  }
  if ((found.stx_mask & STATX_BTIME) == 0) return 0;
  return found.stx_btime.tv_sec * kSecond + found.stx_btime.tv_nsec;
}

}  // namespace holdfast::os
