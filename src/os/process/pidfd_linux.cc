// SPDX-License-Identifier: Apache-2.0
#include "os/process/pidfd.h"

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Pid own_pid() { return Pid{sys().getpid()}; }

bool pidfds_work() {
  const Handle self(sys().pidfd_open(sys().getpid(), 0));
  return self.valid() && sys().pidfd_send_signal(fd_of(self), 0, nullptr) == 0;
}

Result<std::optional<Handle>> open_pidfd(Pid pid) {
  const int fd = sys().pidfd_open(number(pid), 0);  // close-on-exec by its nature
  if (fd >= 0) return std::optional(Handle(fd));
  if (errno == ESRCH) return std::optional<Handle>();
  return fail(last_os_error("pin process", std::to_string(number(pid))));
}

Result<bool> has_ended(const Handle& pidfd) {
  pollfd item{.fd = fd_of(pidfd), .events = POLLIN, .revents = 0};
  const int ready = retry_eintr([&] { return sys().poll(&item, 1, 0); });
  if (ready < 0) return fail(last_os_error("look at a", "pidfd"));
  return ready > 0;
}

Result<Sent> signal_pidfd(const Handle& pidfd, int signal) {
  if (sys().pidfd_send_signal(fd_of(pidfd), signal, nullptr) == 0) return Sent::kSent;
  if (errno == ESRCH) return Sent::kGone;
  if (errno == EPERM) return Sent::kNotPermitted;
  return fail(last_os_error("send a signal through a", "pidfd"));
}

}  // namespace holdfast::os
