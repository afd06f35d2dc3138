// SPDX-License-Identifier: Apache-2.0
//
// Real processes for tests, and the namespaces to put them in. Linux only.
#pragma once

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string>
#include <vector>

#include "os/process/pid.h"

namespace holdfast::testing {

inline constexpr int kCannotTry = 77;  // what a body in a namespace says where there is no such one

// A child that waits to be killed; ended and reaped with the object.
class WaitingChild {
 public:
  // `first` runs in the child before it waits; the constructor returns when it is done.
  explicit WaitingChild(const std::function<void()>& first = [] {}) {
    int ends[2];
    if (::pipe(ends) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::alarm(60);  // a failing test leaves nobody behind for long
      first();
      if (::write(ends[1], "r", 1) != 1) ::_exit(50);
      for (;;) ::pause();
    }
    ::close(ends[1]);
    char byte = 0;
    ready_ = ::read(ends[0], &byte, 1) == 1;
    ::close(ends[0]);
  }
  ~WaitingChild() {
    kill();
    reap();
  }
  WaitingChild(const WaitingChild&) = delete;
  WaitingChild& operator=(const WaitingChild&) = delete;

  [[nodiscard]] bool ready() const { return ready_; }
  [[nodiscard]] os::Pid pid() const { return os::Pid{pid_}; }
  void kill() const {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
  }
  // Until it is a zombie.
  void wait_for_end() const {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
  }
  void reap() {
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  bool ready_ = false;
};

// What each of `bodies` returns in a process of its own, all of them at once; 1000 + the status of
// one that did not get that far.
inline std::vector<int> in_children(const std::vector<std::function<int()>>& bodies) {
  std::vector<pid_t> pids;
  for (const std::function<int()>& body : bodies) {
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(body());
    pids.push_back(pid);
  }
  std::vector<int> codes;
  for (const pid_t pid : pids) {
    int status = 0;
    while (::waitpid(pid, &status, 0) != pid && errno == EINTR) {
    }
    codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status);
  }
  return codes;
}

inline int in_child(const std::function<int()>& body) { return in_children({body}).front(); }

// From now on a user without any rights. Not in group 0 either: hidepid hides nothing from that
// one.
inline bool become_nobody() {
  return ::setgroups(0, nullptr) == 0 && ::setresgid(65534, 65534, 65534) == 0 &&
         ::setresuid(65534, 65534, 65534) == 0;
}

enum class Proc : bool { kOuter, kOwn };

// `body` as process 1 of a new pid namespace, with the /proc of that one or the one from outside.
inline int in_pid_namespace(Proc proc, const std::function<int()>& body,
                            const char* proc_options = nullptr) {
  return in_child([&] {
    if (::unshare(CLONE_NEWPID | CLONE_NEWNS) != 0) return kCannotTry;
    return in_child([&] {
      if (proc == Proc::kOwn && (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                                 ::mount("proc", "/proc", "proc", 0, proc_options) != 0)) {
        return kCannotTry;
      }
      return body();
    });
  });
}

inline bool write_text(const char* path, const std::string& text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool all = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  return all;
}

// `body` in a new time namespace whose boot was a day earlier.
inline int in_time_namespace(const std::function<int()>& body) {
  constexpr int kNewTime = 0x80;  // CLONE_NEWTIME
  return in_child([&] {
    if (::unshare(kNewTime) != 0 ||
        !write_text("/proc/self/timens_offsets", "boottime 86400 0\n")) {
      return kCannotTry;
    }
    return in_child(body);
  });
}

}  // namespace holdfast::testing
