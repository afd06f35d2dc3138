// SPDX-License-Identifier: Apache-2.0
//
// A tree that cannot outlive its supervisor, without a control group.
//
// The kernel ends everybody in a pid namespace before the end of its process 1 can be seen, so a
// dead init proves an empty tree. Two things end the init when its parent dies: the signal of the
// kernel (PDEATHSIG), which strikes at once and also an init that is stopped; and the end of file
// of `relay`, for a parent that died before the signal was asked for.
//
// Process 1 is not the command: the kernel drops signals that process 1 has no handler for, and few
// programs reap orphans. It holds back all signals itself, and gets those for the command through
// `relay`: the terminal's own reach the command directly, as it is in the same process group, and
// must not come twice.
//
// When the command has ended its status goes through `outcome` at once, because process 1 cannot
// die of a signal as the command did, and because others may be left, whom the supervisor ends as
// it ends any leftovers.
#include "os/process/pid_namespace_linux.h"

#include <linux/sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "os/dir/dir.h"
#include "os/spawn/child_calls_linux.h"
#include "os/spawn/child_plan_linux.h"
#include "os/spawn/run_child_linux.h"
#include "os/spawn/spawn.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

// One of these per message. kReady comes first, or kCannot with an errno.
struct InitMessage {
  enum class Kind : int { kReady, kCannot, kExited, kSignalled };
  Kind kind = Kind::kReady;
  int value = 0;
};

void tell(int fd, InitMessage message) {
  retry_eintr([&] { return sys().write(fd, &message, sizeof(message)); });
}

[[noreturn]] void give_up(int fd, int why) {
  tell(fd, {.kind = InitMessage::Kind::kCannot, .value = why});
  exit_process(kNeverRan);
}

// 0, or errno.
int write_all_of(const char* path, const std::string& text) {
  const int fd = retry_eintr([&] { return sys().openat(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0); });
  if (fd < 0) return errno;
  const ssize_t wrote = retry_eintr([&] { return sys().write(fd, text.data(), text.size()); });
  const int why = wrote == static_cast<ssize_t>(text.size()) ? 0 : (wrote < 0 ? errno : EIO);
  sys().close(fd);
  return why;
}

// The only user and group in there are the caller's own, under their own numbers.
int map_own_user(unsigned user, unsigned group) {
  const auto line = [](unsigned id) {
    return std::to_string(id) + " " + std::to_string(id) + " 1\n";
  };
  if (const int why = write_all_of("/proc/self/setgroups", "deny"); why != 0) return why;
  if (const int why = write_all_of("/proc/self/uid_map", line(user)); why != 0) return why;
  return write_all_of("/proc/self/gid_map", line(group));
}

// What is mounted outside later is seen here, and not the other way round.
int mount_own_proc() {
  if (sys().mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE) != 0) return errno;
  if (sys().mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC) != 0) return errno;
  return 0;
}

// Whoever holds a pipe, a lock or a terminal open beside its owner keeps others waiting.
int close_others(int relay, int outcome, int signals) {
  std::vector<int> numbers;
  const auto listed = [&]() -> Result<> {
    const Dir dir = HF_TRY(Dir::open("/proc/self/fd"));
    return dir.each_entry([&](std::string_view name, FileType) {
      int number = 0;
      for (const char c : name) {
        if (c < '0' || c > '9') return Visit::kContinue;
        number = number * 10 + (c - '0');
      }
      numbers.push_back(number);
      return Visit::kContinue;
    });
  }();
  if (!listed) return EIO;
  for (const int fd : numbers) {
    if (fd != relay && fd != outcome && fd != signals) sys().close(fd);
  }
  return 0;
}

class Init {
 public:
  Init(int relay, int outcome, int signals, pid_t command)
      : relay_(relay), outcome_(outcome), signals_(signals), command_(command) {}

  [[noreturn]] void live() {
    for (;;) {
      reap();
      std::array<pollfd, 2> waits{{{.fd = relay_, .events = POLLIN, .revents = 0},
                                   {.fd = signals_, .events = POLLIN, .revents = 0}}};
      retry_eintr([&] { return sys().poll(waits.data(), waits.size(), -1); });
      if (waits[1].revents != 0) {
        signalfd_siginfo info{};
        retry_eintr([&] { return sys().read(signals_, &info, sizeof(info)); });
      }
      if (waits[0].revents != 0) pass_on();
    }
  }

 private:
  void reap() {
    for (;;) {
      siginfo_t info{};
      const int got =
          retry_eintr([&] { return sys().waitid(P_ALL, 0, &info, WEXITED | WNOHANG | __WALL); });
      if (got != 0) exit_process(0);  // nobody is left
      if (info.si_pid == 0) return;
      if (info.si_pid != command_) continue;
      command_ = 0;
      using Kind = InitMessage::Kind;
      tell(outcome_, {.kind = info.si_code == CLD_EXITED ? Kind::kExited : Kind::kSignalled,
                      .value = info.si_status});
    }
  }

  // The command is our own child, and only we reap it: the number means it. Everybody is all in
  // this namespace but us, in one step of the kernel: nobody is born or changes parents meanwhile.
  void pass_on() {
    unsigned char byte = 0;
    if (retry_eintr([&] { return sys().read(relay_, &byte, 1); }) != 1) exit_process(kNeverRan);
    constexpr pid_t kEverybody = -1;
    if ((byte & kToEverybody) != 0) {
      sys().kill(kEverybody, byte & ~kToEverybody);
    } else if (command_ > 0) {
      sys().kill(command_, byte);
    }
  }

  int relay_;
  int outcome_;
  int signals_;
  pid_t command_;
};

Error no_pid_namespace(int why, std::string_view what) {
  Error error = os_error("make", "a pid namespace", why, "nothing was started");
  error.code = ErrorCode::kOsRefused;
  error.cause = "no-pid-namespace";
  error.detail =
      std::string(what) + ": " + std::strerror(why) +
      "; unprivileged user namespaces may be switched off here, or /proc may be masked, as "
      "in a container; nothing was started";
  return error;
}

}  // namespace

Result<InitPipes> InitPipes::make() {
  InitPipes pipes;
  pipes.relay_ = HF_TRY(make_pipe());
  pipes.outcome_ = HF_TRY(make_pipe());
  pipes.user_ = sys().geteuid();
  pipes.group_ = sys().getegid();
  return pipes;
}

void InitPipes::live_as_init(const ChildPlan& plan, bool with_user) {
  const int relay = fd_of(relay_.read_end);
  const int outcome = fd_of(outcome_.write_end);
  relay_.write_end.reset();
  outcome_.read_end.reset();
  sys().close(plan.gate_write);
  if (sys().prctl_parent_death_signal(SIGKILL) != 0) give_up(outcome, errno);
  if (with_user) {
    if (const int why = map_own_user(user_, group_); why != 0) give_up(outcome, why);
  }
  if (const int why = mount_own_proc(); why != 0) give_up(outcome, why);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const int signals = sys().signalfd(-1, &child, SFD_CLOEXEC);
  if (signals < 0) give_up(outcome, errno);
  const pid_t command = sys().fork();
  if (command < 0) give_up(outcome, errno);
  if (command == 0) run_child<TableCalls>(plan);
  if (const int why = close_others(relay, outcome, signals); why != 0) give_up(outcome, why);
  const int moved = sys().chdir("/");
  static_cast<void>(moved);  // at worst a directory cannot be unmounted
  tell(outcome, {});
  Init(relay, outcome, signals, command).live();
}

Result<> InitPipes::take_over(OwnChild& child) {
  relay_.read_end.reset();
  outcome_.write_end.reset();
  InitMessage message;
  const ssize_t got =
      retry_eintr([&] { return sys().read(fd_of(outcome_.read_end), &message, sizeof(message)); });
  const bool ready =
      got == static_cast<ssize_t>(sizeof(message)) && message.kind == InitMessage::Kind::kReady;
  if (!ready) {
    const int why = got == static_cast<ssize_t>(sizeof(message)) ? message.value : ECHILD;
    const auto sent = signal_own_child(child.pid, SIGKILL);
    const auto reaped = reap_child(child.pid);
    static_cast<void>(sent);
    static_cast<void>(reaped);
    return fail(no_pid_namespace(why, "its init cannot prepare it"));
  }
  child.relay = std::move(relay_.write_end);
  child.outcome = std::move(outcome_.read_end);
  return {};
}

Result<Forked> fork_into_pid_namespace(NativeHandle group, bool with_user) {
  int pidfd = -1;
  clone_args args{};
  args.flags = CLONE_PIDFD | CLONE_NEWPID | CLONE_NEWNS;
  if (with_user) args.flags |= CLONE_NEWUSER;
  if (group != HandleTraits::nothing()) {
    args.flags |= CLONE_INTO_CGROUP;
    args.cgroup = static_cast<std::uint64_t>(group);
  }
  args.pidfd = reinterpret_cast<std::uintptr_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  const pid_t pid = sys().clone3(&args);
  if (pid < 0 && (errno == EAGAIN || errno == ENOMEM)) return fail(cannot_start());
  if (pid < 0) return fail(no_pid_namespace(errno, "the kernel refuses it"));
  Forked forked;
  forked.in_child = pid == 0;
  if (pid > 0) forked.child = {.pid = Pid{pid}, .pidfd = Handle(pidfd)};
  return forked;
}

Result<std::optional<ChildEnd>> read_outcome(const OwnChild& child) {
  InitMessage message;
  const ssize_t got =
      retry_eintr([&] { return sys().read(fd_of(child.outcome), &message, sizeof(message)); });
  if (got < 0) return fail(last_os_error("learn how", "the command ended"));
  if (got != static_cast<ssize_t>(sizeof(message))) return std::optional<ChildEnd>();
  const bool exited = message.kind == InitMessage::Kind::kExited;
  return std::optional(ChildEnd{.pid = child.pid,
                                .how = exited ? ChildEnd::How::kExited : ChildEnd::How::kSignalled,
                                .value = message.value});
}

}  // namespace holdfast::os
