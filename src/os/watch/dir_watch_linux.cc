// SPDX-License-Identifier: Apache-2.0
#include "os/watch/dir_watch.h"

#include <sys/inotify.h>

#include <array>
#include <string>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::uint32_t kEvents = IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MODIFY |
                                  IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_ONLYDIR;

}  // namespace

Result<DirWatch> DirWatch::open(const Dir& dir) {
  const int fd = sys().inotify_init(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return fail(last_os_error("watch", dir.path()));
  DirWatch watch{Handle(fd)};
  const std::string by_handle = "/proc/self/fd/" + std::to_string(dir.native());
  if (sys().inotify_add_watch(fd, by_handle.c_str(), kEvents) >= 0) return watch;
  Error error = last_os_error("watch", dir.path());
  error.code = ErrorCode::kOsRefused;  // ENOENT is of /proc, and ENOSPC of no disk
  return fail(std::move(error));
}

Result<> DirWatch::drain() {
  alignas(inotify_event) std::array<char, 4096> events;
  for (;;) {
    const ssize_t got =
        retry_eintr([&] { return sys().read(fd_of(handle_), events.data(), events.size()); });
    if (got > 0) continue;
    if (got == 0 || errno == EAGAIN) return {};
    return fail(last_os_error("read", "the events of a directory"));
  }
}

}  // namespace holdfast::os
