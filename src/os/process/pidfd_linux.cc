// SPDX-License-Identifier: Apache-2.0
#include "os/process/pidfd.h"

#include <sys/wait.h>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::uint64_t kPidfsMagic = 0x50494446;  // PID_FS_MAGIC, newer than our headers

bool ask_for_exit(const Handle& pidfd, PidfdInfo& info) {
  info = PidfdInfo{};
  info.mask = kPidfdInfoExit;
  return sys().ioctl_pidfd_info(fd_of(pidfd), &info) == 0;
}

}  // namespace

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

// Not kill(pid, 0): a signal by number has its one place (os/spawn/child.h), and this needs no rights.
Result<bool> pid_in_use(Pid pid) {
  if (number(pid) <= 0) return false;  // 0 would ask for the caller itself
  if (sys().getsid(number(pid)) != -1) return true;
  if (errno == ESRCH) return false;
  if (errno == EPERM || errno == EACCES) return true;  // a security module
  return fail(last_os_error("ask for process", std::to_string(number(pid))));
}

Result<std::uint64_t> pidfs_inode(const Handle& pidfd) {
  struct statfs system{};
  if (retry_eintr([&] { return sys().fstatfs(fd_of(pidfd), &system); }) != 0) {
    return fail(last_os_error("look at a", "pidfd"));
  }
  if (static_cast<std::uint64_t>(system.f_type) != kPidfsMagic) return 0;
  struct stat info{};
  if (sys().fstat(fd_of(pidfd), &info) != 0) return fail(last_os_error("look at a", "pidfd"));
  return info.st_ino;
}

PidfdExit pidfd_exit(const Handle& pidfd) {
  PidfdInfo info{};
  // One that is reaped while it is asked about is ESRCH; the next answer has how it ended.
  if (!ask_for_exit(pidfd, info) && (errno != ESRCH || !ask_for_exit(pidfd, info))) {
    // Before 6.15 a reaped process is ESRCH; a kernel without the question says ENOTTY or EINVAL.
    return {.state = PidfdExit::State::kCannotTell};
  }
  if ((info.mask & kPidfdInfoExit) == 0) return {.state = PidfdExit::State::kNotYet};
  ChildEnd end;
  if (WIFSIGNALED(info.exit_code)) {
    end.how = ChildEnd::How::kSignalled;
    end.value = WTERMSIG(info.exit_code);
  } else {
    end.value = WEXITSTATUS(info.exit_code);
  }
  return {.state = PidfdExit::State::kEnded, .end = end};
}

}  // namespace holdfast::os
