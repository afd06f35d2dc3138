// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/child.h"

#include <array>
#include <string_view>
#include <utility>

#include "os/process/pid_namespace_linux.h"
#include "os/spawn/child_plan_linux.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

ChildEnd to_child_end(const siginfo_t& info) {
  return {.pid = Pid{info.si_pid},
          .how = info.si_code == CLD_EXITED ? ChildEnd::How::kExited : ChildEnd::How::kSignalled,
          .value = info.si_status};
}

Result<> move_into(int group, pid_t child) {
  constexpr const char* kOp = "put a process into";
  constexpr const char* kSubject = "its control group";
  const Handle procs(
      retry_eintr([&] { return sys().openat(group, "cgroup.procs", O_WRONLY | O_CLOEXEC, 0); }));
  if (!procs.valid()) return fail(last_os_error(kOp, kSubject, "nothing was started"));
  const std::string text = std::to_string(child);
  const ssize_t wrote =
      retry_eintr([&] { return sys().write(fd_of(procs), text.data(), text.size()); });
  if (wrote == static_cast<ssize_t>(text.size())) return {};
  if (wrote >= 0) return fail(os_error(kOp, kSubject, EIO, "nothing was started"));
  return fail(last_os_error(kOp, kSubject, "nothing was started"));
}

}  // namespace

Result<> become_subreaper() {
  if (sys().prctl_subreaper(1) == 0) return {};
  return fail(last_os_error("become the reaper of", "the command's tree"));
}

Result<Reaped> reap_any() {
  siginfo_t info{};
  // __WALL: also children whose end is announced by another signal than SIGCHLD.
  const int got =
      retry_eintr([&] { return sys().waitid(P_ALL, 0, &info, WEXITED | WNOHANG | __WALL); });
  if (got != 0) {
    if (errno == ECHILD) return Reaped(NoChildren{});
    return fail(last_os_error("reap", "a child"));
  }
  if (info.si_pid == 0) return Reaped(NoneEnded{});
  return Reaped(to_child_end(info));
}

Result<std::optional<ChildEnd>> reap_if_ended(Pid pid) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(number(pid));
  const int got = retry_eintr([&] { return sys().waitid(P_PID, id, &info, WEXITED | WNOHANG); });
  if (got != 0) return fail(last_os_error("look at child", std::to_string(number(pid))));
  if (info.si_pid == 0) return std::optional<ChildEnd>();
  return std::optional(to_child_end(info));
}

Result<ChildEnd> reap_child(Pid pid) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(number(pid));
  const int got = retry_eintr([&] { return sys().waitid(P_PID, id, &info, WEXITED); });
  if (got != 0) return fail(last_os_error("wait for child", std::to_string(number(pid))));
  return to_child_end(info);
}

Result<bool> take_stop(Pid pid) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(number(pid));
  const int got = retry_eintr([&] { return sys().waitid(P_PID, id, &info, WSTOPPED | WNOHANG); });
  if (got != 0) return fail(last_os_error("look at child", std::to_string(number(pid))));
  return info.si_pid != 0;
}

// The hostile interleaving: we note that P is our child; P ends and is reaped; the number goes
// round (1.8 s of spawning on a busy machine); kill(P) hits a stranger. Here the kernel is asked
// last, without reaping (WNOWAIT): an answer other than ECHILD means that P is our child and still
// unreaped, and as only this thread reaps, it stays so until the kill is made.
Result<Sent> signal_own_child(Pid pid, int signal) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(number(pid));
  const int mine = retry_eintr(
      [&] { return sys().waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT | __WALL); });
  if (mine != 0) {
    if (errno == ECHILD) return Sent::kGone;
    return fail(last_os_error("look at child", std::to_string(number(pid))));
  }
  if (sys().kill(number(pid), signal) == 0) return Sent::kSent;
  if (errno == ESRCH) return Sent::kGone;
  if (errno == EPERM) return Sent::kNotPermitted;
  return fail(last_os_error("send a signal to child", std::to_string(number(pid))));
}

Result<> signal_own_children(int signal) {
  const int fd = retry_eintr(
      [] { return sys().openat(AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC, 0); });
  if (fd < 0) return fail(last_os_error("list", "the children of this process"));
  const Handle handle(fd);
  std::array<char, 4096> buffer;
  pid_t pid = 0;
  for (;;) {
    const ssize_t got = retry_eintr([&] { return sys().read(fd, buffer.data(), buffer.size()); });
    if (got < 0) return fail(last_os_error("list", "the children of this process"));
    if (got == 0) return {};
    for (const char c : std::string_view(buffer.data(), static_cast<std::size_t>(got))) {
      if (c >= '0' && c <= '9') {  // a number may go on in the next read
        pid = pid * 10 + (c - '0');
      } else if (pid > 0) {
        const auto sent = signal_own_child(Pid{std::exchange(pid, 0)}, signal);
        static_cast<void>(sent);  // gone, or not ours to signal: the caller asks for ECHILD
      }
    }
  }
}

namespace {

Result<Sent> send_to_init(const OwnChild& init, unsigned char byte) {
  if (retry_eintr([&] { return sys().write(fd_of(init.relay), &byte, 1); }) == 1) {
    return Sent::kSent;
  }
  if (errno == EPIPE) return Sent::kGone;
  return fail(last_os_error("send a signal to child", std::to_string(number(init.pid))));
}

}  // namespace

Result<Sent> OwnChild::signal(int signal) const {
  if (relay.valid() && signal != SIGKILL) {
    return send_to_init(*this, static_cast<unsigned char>(signal));
  }
  return pidfd.valid() ? signal_pidfd(pidfd, signal) : signal_own_child(pid, signal);
}

Result<Sent> OwnChild::signal_namespace(int signal) const {
  const auto going = pidfd.valid() ? signal_pidfd(pidfd, SIGCONT) : signal_own_child(pid, SIGCONT);
  static_cast<void>(going);  // whether it hears shows in what happens
  return send_to_init(*this, static_cast<unsigned char>(signal | kToEverybody));
}

Error cannot_start() {
  Error error = last_os_error("start", "a process");
  error.code = ErrorCode::kOsRefused;
  return error;
}

Result<Forked> fork_process() {
  const pid_t pid = sys().fork();
  if (pid < 0) return fail(cannot_start());
  Forked forked;
  forked.in_child = pid == 0;
  if (pid > 0) {
    // The child is ours and unreaped, so the number still means it. Without a pidfd it is
    // signalled by number.
    forked.child = {.pid = Pid{pid}, .pidfd = Handle(sys().pidfd_open(pid, 0))};
  }
  return forked;
}

// Between a fork and the move the child would be outside for a moment, and its parent could die in
// it. That is harmless only because the child waits at a gate that nobody else opens.
Result<Forked> fork_into_cgroup(NativeHandle group) {
  int pidfd = -1;
  clone_args args{};
  args.flags = CLONE_PIDFD | CLONE_INTO_CGROUP;
  args.pidfd = reinterpret_cast<std::uintptr_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  args.cgroup = static_cast<std::uint64_t>(group);
  const pid_t pid = sys().clone3(&args);
  Forked forked;
  forked.in_child = pid == 0;
  if (pid > 0) forked.child = {.pid = Pid{pid}, .pidfd = Handle(pidfd)};
  if (pid >= 0) return forked;
  if (errno == EAGAIN || errno == ENOMEM) return fail(cannot_start());
  // Whatever else it was, an old kernel's no has many numbers; the move finds out what is true.
  forked = HF_TRY(fork_process());
  if (forked.in_child) return forked;
  auto moved = move_into(static_cast<int>(group), number(forked.child.pid));
  if (moved) return forked;
  const auto sent = signal_own_child(forked.child.pid, SIGKILL);
  const auto reaped = reap_child(forked.child.pid);
  static_cast<void>(sent);  // it is our own and cannot have changed its user
  static_cast<void>(reaped);
  return fail(std::move(moved).error());
}

void exit_process(int code) {
  for (;;) sys().exit_process(code);
}

Result<> leave_session() {
  if (sys().setsid() != -1) return {};
  return fail(last_os_error("leave", "the session"));
}

bool leads_session() { return sys().getsid(0) == sys().getpid(); }

}  // namespace holdfast::os
