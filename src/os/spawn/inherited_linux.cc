// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/inherited.h"

#include <limits>
#include <string>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

std::unexpected<Error> refuse(std::uint64_t number, const char* why) {
  return fail({.code = ErrorCode::kUsage,
               .op = "use descriptor",
               .subject = std::to_string(number),
               .cause = "bad-descriptor",
               .detail = why});
}

}  // namespace

Result<Handle> adopt_for_writing(std::uint64_t number) {
  if (number <= 2) return refuse(number, "0, 1 and 2 belong to the command; use 3 or more");
  if (number > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    return refuse(number, "it is not open");
  }
  const int fd = static_cast<int>(number);
  const int flags = sys().fcntl_getfl(fd);
  if (flags < 0) return refuse(number, "it is not open");
  if ((flags & O_ACCMODE) == O_RDONLY) return refuse(number, "it is not open for writing");
  if (sys().fcntl_setfd(fd, FD_CLOEXEC) != 0) return refuse(number, "it cannot be taken over");
  return Handle(fd);
}

Result<Handle> copy_handle(NativeHandle handle) {
  constexpr int kFirstOwn = 3;
  Handle copy(sys().fcntl_dupfd(static_cast<int>(handle), kFirstOwn));
  if (!copy.valid() || sys().fcntl_setfd(static_cast<int>(copy.get()), FD_CLOEXEC) != 0)
    return fail(last_os_error("copy", "a descriptor"));
  return copy;
}

}  // namespace holdfast::os
