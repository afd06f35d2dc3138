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
      {"fsync", {EIO, ENOSPC, EINTR}},
      {"fchmod", {EPERM, EROFS}},
      {"fstat", {EIO}},
      {"fstatat", {EACCES, EIO}},
      {"mkdirat", {EACCES, ENOSPC, EROFS}},
      {"unlinkat", {EACCES, EIO, EBUSY}},
      {"renameat2", {ENOSYS, EINVAL, EACCES, ENOSPC, EIO}},
      {"linkat", {EACCES, ENOENT, ENOSPC, EPERM}},
      {"getdents64", {EIO}},
      {"readlinkat", {EACCES, ENOENT}},
      {"faccessat", {EIO}},
      {"fstatfs", {EIO}},
      {"getcwd", {ENOENT}},
      {"geteuid", {}},
      {"getrandom", {ENOSYS, EINTR}},
      {"clock_gettime", {}},
      {"ioctl_winsize", {ENOTTY}},
      {"fcntl_getfd", {EBADF}},
      {"sigaction", {EINVAL}},
      {"fcntl_setfd", {EBADF}},
      {"fcntl_getfl", {EBADF}},
      {"sigprocmask", {EINVAL}},
      {"signalfd", {EMFILE, ENOMEM}},
      {"timerfd_create", {EMFILE, ENOMEM}},
      {"timerfd_settime", {EINVAL}},
      {"poll", {ENOMEM, EINTR}},
      {"pipe2", {EMFILE, ENFILE}},
      {"dup2", {EBADF, EMFILE, EINTR}},
      {"fork", {EAGAIN, ENOMEM}},
      {"execve", {ENOENT, EACCES, ENOEXEC, E2BIG, ENOMEM}},
      {"exit_process", {}},
      {"waitid", {ECHILD, EINTR}},
      {"kill", {EPERM, ESRCH}},
      {"pidfd_open", {ENOSYS, EPERM, EMFILE, ESRCH}},
      {"pidfd_send_signal", {ENOSYS, EPERM, ESRCH}},
      {"prctl_subreaper", {EINVAL}},
      {"setpgid", {EPERM, EACCES}},
      {"getpid", {}},
  };
  return kTable;
}

class Recorder final : public CallHook {
 public:
  Fate before(const CallSite& call) override {
    calls.push_back(call);
    return {};
  }
  std::vector<CallSite> calls;
};

class Injector final : public CallHook {
 public:
  Injector(const SweepCase& what, std::size_t index) : case_(what), index_(index) {}

  Fate before(const CallSite& call) override {
    if (::getpid() != swept_) return {};  // a child that the body forked counts for itself
    const std::size_t at = seen_++;
    const bool hit = case_.for_good ? at >= index_ && call.name == case_.call : at == index_;
    if (!hit) return {};
    fired_ = true;
    if (case_.os_code == 0) return {.kind = Fate::Kind::kShorten};
    return {.kind = Fate::Kind::kFail, .os_code = case_.os_code};
  }
  [[nodiscard]] bool fired() const { return fired_; }

 private:
  const SweepCase& case_;
  std::size_t index_;
  pid_t swept_ = ::getpid();
  std::size_t seen_ = 0;
  bool fired_ = false;
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
    cases.push_back({where + " writes half", std::string(call.name), 0, false});
    cases.push_back({where + " writes half each time", std::string(call.name), 0, true});
  }
  return cases;
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
    for (const SweepCase& one : cases_of(recorder.calls[index], index)) {
      SCOPED_TRACE(one.description);
      sweep.prepare();
      const std::size_t open_before = open_descriptors();
      Injector injector(one, index);
      bool succeeded = false;
      {
        OldKernel kernel(sweep.missing, &injector);
        const ScopedCallHook hook(kernel);
        succeeded = sweep.body();
      }
      EXPECT_TRUE(injector.fired()) << "the body does not make the same calls each time";
      EXPECT_EQ(open_descriptors(), open_before) << "a descriptor stayed open";
      if (one.os_code == EINTR || one.os_code == 0) {
        EXPECT_TRUE(succeeded) << "an interruption or a short write is not a failure";
      }
      sweep.check(one, succeeded);
      ++runs;
    }
  }
  return runs;
}

}  // namespace holdfast::testing
