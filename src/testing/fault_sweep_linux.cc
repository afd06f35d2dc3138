// SPDX-License-Identifier: Apache-2.0
#include "testing/fault_sweep.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "testing/sys_swap_linux.h"

namespace holdfast::testing {
namespace {

// The failures that a caller must survive, call by call. A name that is missing here fails the
// sweep, so a new member of the table cannot go unswept.
const std::map<std::string_view, std::vector<int>>& errnos_that_matter() {
  static const std::map<std::string_view, std::vector<int>> kTable{
      {"openat", {EACCES, EMFILE, EIO, ENOSPC, ELOOP, EINTR}},
      {"openat_tmpfile", {EOPNOTSUPP, EISDIR, EMFILE, ENOSPC, EINTR}},
      {"openat2", {ENOSYS, EPERM, EAGAIN, EACCES, ELOOP, EMFILE, EINTR}},
      {"close", {EIO, EINTR}},
      {"read", {EIO, EINTR}},
      {"pread", {EIO, EINTR}},
      {"write", {ENOSPC, EIO, EDQUOT, EINTR}},
      {"pwrite", {ENOSPC, EIO, EDQUOT, EINTR}},
      {"ftruncate", {EIO, EINTR}},
      {"fallocate", {ENOSPC, EOPNOTSUPP, EIO, EINTR}},
      {"fsync", {EIO, ENOSPC, EINTR}},
      {"fdatasync", {EIO, ENOSPC, EINTR}},
      {"sync_file_range", {EIO, ENOSPC, EINTR}},
      {"flock", {ENOLCK, EINTR}},
      {"ofd_lock", {ENOLCK, EINTR}},
      {"futex_wait", {EINTR}},
      {"futex_wake", {EFAULT}},
      {"futex_waitv", {ENOSYS, EINTR}},
      {"mmap_read", {ENOMEM, ENODEV}},
      {"munmap", {}},
      {"fchmod", {EPERM, EROFS}},
      {"fchmodat", {EPERM, EROFS, EOPNOTSUPP}},
      {"fchown", {EPERM, EIO}},
      {"umask", {}},
      {"flistxattr", {EOPNOTSUPP, EIO}},
      {"fgetxattr", {EACCES, EIO}},
      {"fsetxattr", {EPERM, ENOSPC, EOPNOTSUPP}},
      {"fremovexattr", {EPERM, EIO}},
      {"fstat", {EIO}},
      {"fstatat", {EACCES, EIO}},
      {"statx", {ENOSYS, EACCES, EIO}},
      {"mkdirat", {EACCES, ENOSPC, EROFS}},
      {"mkfifoat", {EACCES, ENOSPC, EPERM}},
      {"symlinkat", {EACCES, ENOSPC, EPERM}},
      {"unlinkat", {EACCES, EIO, EBUSY}},
      {"renameat2", {ENOSYS, EINVAL, EACCES, ENOSPC, EIO}},
      {"renameat2_exchange", {ENOSYS, EINVAL, EACCES, EBUSY, ENOSPC, EIO}},
      {"linkat", {EACCES, ENOENT, ENOSPC, EPERM}},
      {"getdents64", {EIO}},
      {"readlinkat", {EACCES, ENOENT}},
      {"faccessat", {EIO}},
      {"fstatfs", {EIO}},
      {"getcwd", {ENOENT}},
      {"chdir", {ENOENT, EACCES}},
      {"geteuid", {}},
      {"getegid", {}},
      {"getrandom", {ENOSYS, EINTR}},
      {"clock_gettime", {}},
      {"nanosleep", {EINTR}},
      {"uname", {ENOSYS}},
      {"send_now", {EAGAIN, EPIPE}},
      {"ioctl_winsize", {ENOTTY}},
      {"ioctl_controlling_terminal", {EPERM}},
      {"ioctl_set_winsize", {ENOTTY}},
      {"ioctl_pty_slave", {ENOSPC, EIO}},
      {"tcgetattr", {ENOTTY}},
      {"tcsetattr", {EIO}},
      {"fcntl_getfd", {EBADF}},
      {"sigaction", {EINVAL}},
      {"fcntl_setfd", {EBADF}},
      {"fcntl_getfl", {EBADF}},
      {"fcntl_dupfd", {EMFILE}},
      {"sigprocmask", {EINVAL}},
      {"signalfd", {EMFILE, ENOMEM}},
      {"timerfd_create", {EMFILE, ENOMEM}},
      {"timerfd_settime", {EINVAL}},
      {"timer_create", {EAGAIN, ENOMEM}},
      {"timer_settime", {EINVAL}},
      {"timer_delete", {}},
      {"poll", {ENOMEM, EINTR}},
      {"epoll_create1", {EMFILE, ENOMEM}},
      {"epoll_ctl", {ENOMEM, ENOSPC}},
      {"pipe2", {EMFILE, ENFILE}},
      {"inotify_init", {EMFILE, ENOSYS}},
      {"inotify_add_watch", {ENOSPC, EACCES, ENOENT}},
      {"dup2", {EBADF, EMFILE, EINTR}},
      {"fork", {EAGAIN, ENOMEM}},
      {"clone_vm", {ENOSYS, EPERM, EINVAL, EAGAIN, ENOMEM}},
      {"clone3", {ENOSYS, EPERM, EINVAL, EACCES, EAGAIN, ENOMEM}},
      {"prlimit", {EPERM, EINVAL}},
      {"execve", {ENOENT, EACCES, ENOEXEC, E2BIG, ENOMEM}},
      {"exit_process", {}},
      {"waitid", {ECHILD, EINTR}},
      {"kill", {EPERM, ESRCH}},
      {"connect_now", {ENOENT, ECONNREFUSED, EAGAIN, EACCES, EMFILE}},
      {"socket_peer", {ENOPROTOOPT}},
      {"pidfd_open", {ENOSYS, EPERM, EMFILE, ESRCH}},
      {"pidfd_send_signal", {ENOSYS, EPERM, ESRCH}},
      {"prctl_subreaper", {EINVAL}},
      {"prctl_parent_death_signal", {EINVAL}},
      {"mount", {EPERM, ENOMEM}},
      {"setsid", {EPERM}},
      {"getpid", {}},
      {"getsid", {ESRCH}},
  };
  return kTable;
}

class Recorder final : public CallHook {
 public:
  Fate before(const CallSite& call) override {
    if (::getpid() == swept_) calls.push_back({call.name, call.mutates, call.transfer_bytes, {}});
    return {};
  }
  std::vector<CallSite> calls;

 private:
  pid_t swept_ = ::getpid();
};

// A case, and where its faults strike: the numbers of the calls.
struct Plan {
  SweepCase what;
  std::size_t first;
  std::optional<std::size_t> second;
};

class Injector final : public CallHook {
 public:
  explicit Injector(const Plan& plan) : plan_(plan) {}

  Fate before(const CallSite& call) override {
    if (::getpid() != swept_) return {};  // a child that the body forked counts for itself
    const std::size_t at = seen.size();
    seen.push_back(call.name);
    const SweepCase& what = plan_.what;
    if (at == plan_.second) {
      second_fired_ = call.name == what.second_call;
      return {.kind = Fate::Kind::kFail, .os_code = what.second_os_code};
    }
    const bool hit =
        what.for_good ? at >= plan_.first && call.name == what.call : at == plan_.first;
    if (!hit) return {};
    first_fired_ = true;
    if (what.os_code == 0) return {.kind = Fate::Kind::kShorten};
    return {.kind = Fate::Kind::kFail, .os_code = what.os_code};
  }
  [[nodiscard]] bool fired() const {
    return first_fired_ && (second_fired_ || !plan_.second.has_value());
  }

  std::vector<std::string_view> seen;

 private:
  const Plan& plan_;
  pid_t swept_ = ::getpid();
  bool first_fired_ = false;
  bool second_fired_ = false;
};

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::vector<SweepCase> cases_of(const CallSite& call, std::size_t index) {
  const auto known = errnos_that_matter().find(call.name);
  if (known == errnos_that_matter().end()) {
    ADD_FAILURE() << "fault_sweep does not know which errors matter for " << call.name;
    return {};
  }
  const std::string where = std::string(call.name) + " (call " + std::to_string(index + 1) + ")";
  std::vector<SweepCase> cases;
  for (const int os_code : known->second) {
    const std::string what = where + " fails with " + ::strerrorname_np(os_code);
    cases.push_back({what + " once", std::string(call.name), os_code, false});
    // A call that is interrupted for ever does not exist; retrying it is right.
    if (os_code != EINTR)
      cases.push_back({what + " for good", std::string(call.name), os_code, true});
  }
  if (call.transfer_bytes > 1) {
    cases.push_back({where + " transfers half", std::string(call.name), 0, false});
    cases.push_back({where + " transfers half each time", std::string(call.name), 0, true});
  }
  return cases;
}

// The numbers of the calls in a faulted run that the undisturbed one does not make there.
std::vector<std::size_t> new_calls(const std::vector<std::string_view>& faulted,
                                   const std::vector<CallSite>& undisturbed, std::size_t fault) {
  std::size_t end = faulted.size();
  for (std::size_t same = undisturbed.size(); end > fault + 1 && same > fault + 1; --end, --same) {
    if (faulted[end - 1] != undisturbed[same - 1].name) break;
  }
  std::vector<std::size_t> numbers;
  for (std::size_t at = fault + 1; at < std::min(end, fault + 1 + kMaxNewCalls); ++at) {
    numbers.push_back(at);
  }
  return numbers;
}

// `first` again, with the call number `at`, named `name`, failing as well.
std::vector<Plan> with_second_fault(const Plan& first, std::size_t at, std::string_view name) {
  std::vector<Plan> plans;
  for (const SweepCase& second : cases_of({.name = name}, at)) {
    // What is interrupted or failing for good anyway adds nothing.
    if (second.os_code == EINTR || second.for_good) continue;
    if (first.what.for_good && name == first.what.call) continue;
    Plan plan{.what = first.what, .first = first.first, .second = at};
    plan.what.description += ", then " + second.description;
    plan.what.second_call = name;
    plan.what.second_os_code = second.os_code;
    plans.push_back(std::move(plan));
  }
  return plans;
}

// The signals that this thread holds back, as one number. The sweeps ask past the call table.
std::uint64_t held_signals() {
  sigset_t held{};
  ::sigprocmask(SIG_SETMASK, nullptr, &held);
  std::uint64_t bits = 0;
  for (int number = 1; number < 64; ++number) {
    if (::sigismember(&held, number) == 1)
      bits |= std::uint64_t{1} << static_cast<unsigned>(number);
  }
  return bits;
}

// One run of the body under `plan`; returns the names of the calls it made.
std::vector<std::string_view> run_under(const Plan& plan, const FaultSweep& sweep) {
  SCOPED_TRACE(plan.what.description);
  sweep.prepare();
  const std::size_t open_before = open_descriptors();
  sigset_t mask_before{};
  ::sigprocmask(SIG_SETMASK, nullptr, &mask_before);
  const std::uint64_t held_before = held_signals();
  Injector injector(plan);
  bool succeeded = false;
  {
    OldKernel kernel(sweep.missing, &injector);
    const ScopedCallHook hook(kernel);
    succeeded = sweep.body();
  }
  EXPECT_TRUE(injector.fired()) << "the body does not make the same calls each time";
  EXPECT_EQ(open_descriptors(), open_before) << "a descriptor stayed open";
  // Only where the call itself failed that gives them free; the next case must not start like that.
  if (plan.what.call != "sigprocmask" && plan.what.second_call != "sigprocmask") {
    EXPECT_EQ(held_signals(), held_before) << "signals stay held back";
  }
  ::sigprocmask(SIG_SETMASK, &mask_before, nullptr);
  if (!plan.second && (plan.what.os_code == EINTR || plan.what.os_code == 0)) {
    EXPECT_TRUE(succeeded) << "an interruption or a short transfer is not a failure";
  }
  sweep.check(plan.what, succeeded);
  return std::move(injector.seen);
}

}  // namespace

std::size_t fault_sweep(const FaultSweep& sweep) {
  Recorder recorder;
  sweep.prepare();
  {
    OldKernel kernel(sweep.missing, &recorder);
    const ScopedCallHook hook(kernel);
    if (!sweep.body()) {
      ADD_FAILURE() << "the body fails without any fault";
      return 0;
    }
  }
  std::size_t runs = 0;
  for (std::size_t index = 0; index < recorder.calls.size(); ++index) {
    for (SweepCase& one : cases_of(recorder.calls[index], index)) {
      const Plan plan{.what = std::move(one), .first = index, .second = {}};
      const auto made = run_under(plan, sweep);
      ++runs;
      // A short transfer or an interruption is simply done again: nothing new follows it.
      if (!sweep.second_faults || plan.what.os_code == 0 || plan.what.os_code == EINTR) continue;
      for (const std::size_t at : new_calls(made, recorder.calls, index)) {
        for (const Plan& deeper : with_second_fault(plan, at, made[at])) {
          run_under(deeper, sweep);
          ++runs;
        }
      }
    }
  }
  return runs;
}

}  // namespace holdfast::testing
