// SPDX-License-Identifier: Apache-2.0
//
// What the black-box tests (tests/cli/run_*.sh) cannot arrange: faults in the supervisor itself.
// Each run is made in a forked process, because it leaves signals blocked.
#include "supervise/run.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "os/machine/real_clock.h"
#include "supervise/verdict.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::supervise {
namespace {

// Fails the calls of one name in the shim alone, from the `from`th on.
class FailInShim final : public testing::CallHook {
 public:
  FailInShim(std::string call, int os_code, int from)
      : call_(std::move(call)), os_code_(os_code), from_(from) {}
  testing::Fate before(const testing::CallSite& call) override {
    // The command's child runs this too, before its exec: it is a child of the shim.
    if (::getppid() != front_ || !testing::is_call(call, call_) || ++seen_ < from_) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = os_code_};
  }
  void front_is_this_process() { front_ = ::getpid(); }

 private:
  std::string call_;
  int os_code_;
  int from_;
  int seen_ = 0;
  pid_t front_ = 0;
};

// The rows of all processes but its own are kept from the shim, as hidepid does with set-user-id
// programs.
class HideFromShim final : public testing::CallHook {
 public:
  explicit HideFromShim(int os_code) : os_code_(os_code) {}
  testing::Fate before(const testing::CallSite& call) override {
    const bool row = call.path.starts_with("/proc/") && call.path.ends_with("/stat") &&
                     !call.path.starts_with("/proc/self/");
    if (!row || ::getppid() != front_) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = os_code_};
  }
  void front_is_this_process() { front_ = ::getpid(); }

 private:
  int os_code_;
  pid_t front_ = 0;
};

// The exit code of a run of `argv` under the fault.
template <typename Fault>
int code_under(Fault fault, const std::vector<std::string>& argv, std::optional<Duration> timeout) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    fault.front_is_this_process();
    const testing::ScopedCallHook hook(fault);
    const auto report = run_foreground(os::RealClock(), {.argv = argv,
                                                         .timeout = timeout,
                                                         .grace = std::chrono::milliseconds(50),
                                                         .stdout_to = os::StdoutTo::kStdout});
    ::_exit(report ? judge(*report).code : 200);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

TEST(Run, WhateverFailsBeforeTheStartIs125AndNothingRuns) {
  for (const char* call : {"prctl_subreaper", "signalfd", "timerfd_create", "timerfd_settime",
                           "pipe2", "fork", "setsid", "openat"}) {
    EXPECT_EQ(code_under(FailInShim(call, EMFILE, 1), {"true"}, std::chrono::seconds(20)), 125)
        << call;
  }
}

TEST(Run, WithoutPidfdsItRunsAllTheSame) {
  EXPECT_EQ(code_under(FailInShim("pidfd_open", ENOSYS, 1), {"sh", "-c", "exit 3"}, std::nullopt),
            3);
  EXPECT_EQ(code_under(FailInShim("pidfd_open", EMFILE, 2), {"sh", "-c", "exit 3"}, std::nullopt),
            3);
}

TEST(Run, ASupervisorThatCanNoLongerWaitEndsTheTreeAndSaysSo) {
  const int code = code_under(FailInShim("poll", ENOMEM, 1), {"sleep", "60"}, std::nullopt);
  EXPECT_EQ(code, to_int(ExitCode::kOsRefused));
}

TEST(Run, ACommandThatProcHidesIsEndedAtItsDeadlineAllTheSame) {
  for (const int os_code : {EACCES, EPERM, ENOENT}) {  // hidepid=1 says no, hidepid=2 "not there"
    const int code =
        code_under(HideFromShim(os_code), {"sleep", "60"}, std::chrono::milliseconds(50));
    EXPECT_EQ(code, to_int(ExitCode::kDeadline)) << os_code;
  }
}

TEST(Run, AProcThatFailsLaterStillEndsTheCommandItself) {
  // The first read of /proc is the check before the start.
  const int code =
      code_under(FailInShim("openat", EIO, 2), {"sleep", "60"}, std::chrono::milliseconds(50));
  EXPECT_EQ(code, to_int(ExitCode::kDeadline)) << "it fired, and the tree is proven empty";
}

}  // namespace
}  // namespace holdfast::supervise
