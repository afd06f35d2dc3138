// SPDX-License-Identifier: Apache-2.0
#include "os/watch/change_watch.h"

#include <sys/epoll.h>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

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
