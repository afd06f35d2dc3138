// SPDX-License-Identifier: Apache-2.0
//
// What the black-box tests (tests/cli/lock_command_*.sh) cannot arrange: an caller_hooks that refuses,
// and faults in between. Each run is made in a forked process, because it leaves signals blocked.
#include "supervise/wrap.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string>

#include "os/machine/real_clock.h"
#include "supervise/front_end.h"
#include "supervise/verdict.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::supervise {
namespace {

int in_a_child(const std::function<int()>& act) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(act());
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// Refuses the command, or notes who it was.
class WrapDoorman final : public CallerHooks {
 public:
  explicit WrapDoorman(bool lets_in) : lets_in_(lets_in) {}
  Result<> born(const Born& born) override {
    born_ = born;
    if (lets_in_) return {};
    return fail({.code = ErrorCode::kBusy, .op = "let in", .cause = "no"});
  }
  void started() override { started_ = true; }
  [[nodiscard]] std::optional<BootTime> next_tick() const override {
    return ended_ ? std::nullopt : ends_at_;
  }
  Wish tick() override {
    ended_ = true;
    return Wish::kEnd;
  }

  Born born_;
  bool started_ = false;
  std::optional<BootTime> ends_at_;

 private:
  bool lets_in_;
  bool ended_ = false;
};

// All of the environment that the two ways share.
Result<RunReport> wrap_run_either(bool tree, std::vector<std::string> argv,
                                  CallerHooks& caller_hooks,
                                  std::vector<os::NativeHandle> inherit = {}) {
  const os::RealClock clock;
  if (!tree) {
    return run_wrapped(clock, {.argv = std::move(argv), .inherit = std::move(inherit)},
                       caller_hooks);
  }
  const TreeRequest request{.commands = {std::move(argv)},
                            .inherit = std::move(inherit),
                            .leftovers = Leftovers::kLeave,
                            .grace = std::chrono::milliseconds(50)};
  TreeReport report = HF_TRY(run_tree(clock, request, {}, &caller_hooks)).report;
  const CommandFacts command = report.commands.empty() ? CommandFacts{} : report.commands.front();
  return RunReport{std::move(report), command};
}

TEST(Wrap, ACommandThatIsNotLetInNeverRunsAndIsReaped) {
  const testing::TempDir scratch;
  const std::string ran = scratch.path() + "/ran";
  for (const bool tree : {false, true}) {
    EXPECT_EQ(in_a_child([&] {
                WrapDoorman doorman(false);
                const auto report = wrap_run_either(tree, {"touch", ran}, doorman);
                const bool refused = !report && report.error().cause == "no";
                const bool reaped = ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
                return refused && reaped && !doorman.started_ ? 0 : 1;
              }),
              0)
        << tree;
    EXPECT_FALSE(exists(ran)) << tree;
  }
}

TEST(Wrap, TheAttendantKnowsTheCommandBeforeItRuns) {
  for (const bool tree : {false, true}) {
    EXPECT_EQ(in_a_child([&] {
                WrapDoorman doorman(true);
                const auto report = wrap_run_either(tree, {"sh", "-c", "exit 7"}, doorman);
                if (!report || judge(*report).code != 7 || !doorman.started_) return 1;
                if (doorman.born_.supervisor.has_value() != tree) return 2;
                return doorman.born_.command == *report->pid ? 0 : 3;
              }),
              0)
        << tree;
  }
}

TEST(Wrap, OnlyInheritedDescriptorsReachTheCommand) {
  for (const bool tree : {false, true}) {
    EXPECT_EQ(in_a_child([&] {
                const int given = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
                const int kept = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
                WrapDoorman doorman(true);
                const std::string test = "[ -e /proc/self/fd/" + std::to_string(given) +
                                         " ] && [ ! -e /proc/self/fd/" + std::to_string(kept) +
                                         " ]";
                const auto report = wrap_run_either(tree, {"sh", "-c", test}, doorman, {given});
                if (!report || judge(*report).code != 0) return 1;
                return ::fcntl(given, F_GETFD) == FD_CLOEXEC ? 0 : 2;
              }),
              0)
        << tree;
  }
}

TEST(Wrap, AnAttendantCanHaveTheTreeEndedAlthoughLeftoversAreLeftAlone) {
  EXPECT_EQ(in_a_child([&] {
              WrapDoorman doorman(true);
              doorman.ends_at_ = os::RealClock().boot() + std::chrono::seconds(2);
              const std::string script =
                  "trap '' TERM; (trap '' TERM; setsid sleep 100) & sleep 100";
              const auto report = wrap_run_either(true, {"sh", "-c", script}, doorman);
              return report && report->empty && report->killed > 0 ? 0 : 1;
            }),
            0);
}

class FailHere final : public testing::CallHook {
 public:
  FailHere(std::string call, int os_code) : call_(std::move(call)), os_code_(os_code) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (::getpid() != self_ || !testing::is_call(call, call_)) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = os_code_};
  }

 private:
  pid_t self_ = ::getpid();
  std::string call_;
  int os_code_;
};

TEST(Wrap, WhateverFailsBeforeTheStartIsAnErrorAndNothingRuns) {
  const testing::TempDir scratch;
  const std::string ran = scratch.path() + "/ran";
  for (const char* call : {"signalfd", "pipe2", "fork", "sigprocmask"}) {
    EXPECT_EQ(in_a_child([&] {
                FailHere fault(call, EMFILE);
                const testing::ScopedCallHook hook(fault);
                WrapDoorman doorman(true);
                return wrap_run_either(false, {"touch", ran}, doorman) ? 1 : 0;
              }),
              0)
        << call;
    EXPECT_FALSE(exists(ran)) << call;
  }
}

TEST(Wrap, WithoutPidfdsOrPollTheEndIsStillSeen) {
  for (const char* call : {"pidfd_open", "poll"}) {
    EXPECT_EQ(in_a_child([&] {
                FailHere fault(call, ENOSYS);
                const testing::ScopedCallHook hook(fault);
                WrapDoorman doorman(true);
                const auto report =
                    wrap_run_either(false, {"sh", "-c", "sleep 0.05; exit 3"}, doorman);
                return report ? judge(*report).code : 200;
              }),
              3)
        << call;
  }
}

}  // namespace
}  // namespace holdfast::supervise
