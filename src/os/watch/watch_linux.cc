// SPDX-License-Identifier: Apache-2.0
#include "os/watch/watch.h"

#include <sys/epoll.h>
#include <sys/inotify.h>

#include <array>
#include <string>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::uint32_t kDirEvents = IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MODIFY |
                                     IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_ONLYDIR;

}  // namespace

Result<DirWatch> DirWatch::open(const Dir& dir) {
  const int fd = sys().inotify_init(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return fail(last_os_error("watch", dir.path()));
  DirWatch watch{Handle(fd)};
  const std::string by_handle = "/proc/self/fd/" + std::to_string(dir.native());
  if (sys().inotify_add_watch(fd, by_handle.c_str(), kDirEvents) >= 0) return watch;
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

// A file that we have open is not deleted when its name goes, so there is no IN_DELETE_SELF then:
// that its links became fewer is a change of an attribute.
Result<Handle> watch_file(const File& file) {
  constexpr std::uint32_t kFileEvents = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF;
  Handle watch(sys().inotify_init(IN_NONBLOCK | IN_CLOEXEC));
  if (!watch.valid()) return fail(last_os_error("watch", file.path()));
  const std::string by_handle = "/proc/self/fd/" + std::to_string(file.native());
  if (sys().inotify_add_watch(static_cast<int>(watch.get()), by_handle.c_str(), kFileEvents) < 0)
    return fail(last_os_error("watch", file.path()));
  return watch;
}

Result<ChangeWatch> ChangeWatch::on(const Handle& file) {
  constexpr const char* kOp = "watch";
  constexpr const char* kSubject = "a file of the kernel";
  Handle handle(sys().epoll_create1(EPOLL_CLOEXEC));
  if (!handle.valid()) return fail(last_os_error(kOp, kSubject));
  epoll_event event{};
  event.events = EPOLLPRI;
  if (sys().epoll_ctl(fd_of(handle), EPOLL_CTL_ADD, fd_of(file), &event) != 0) {
    return fail(last_os_error(kOp, kSubject));
  }
  return ChangeWatch(std::move(handle));
}

}  // namespace holdfast::os
