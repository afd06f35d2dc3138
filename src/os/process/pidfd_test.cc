// SPDX-License-Identifier: Apache-2.0
#include "os/process/pidfd.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "os/process/pid.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::os {
namespace {

class PidfdTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  }
};

TEST_F(PidfdTest, ASignalReachesThePinnedProcessAndItsEndIsSeen) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  const auto pin = open_pidfd(Pid{child});
  ASSERT_TRUE(pin && *pin);
  EXPECT_FALSE(has_ended(**pin).value());
  EXPECT_EQ(signal_pidfd(**pin, SIGKILL).value(), Sent::kSent);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(has_ended(**pin).value()) << "a zombie has ended";
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(signal_pidfd(**pin, SIGKILL).value(), Sent::kGone) << "its number means nothing now";
}

TEST_F(PidfdTest, NobodyIsAnAnswer) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const auto pin = open_pidfd(Pid{child});
  ASSERT_TRUE(pin);
  EXPECT_FALSE(*pin);
}

TEST(Pidfd, AFilterOrAnOldKernelIsNoticed) {
  for (const char* call : {"pidfd_open", "pidfd_send_signal"}) {
    for (const int os_code : {ENOSYS, EPERM}) {
      const testing::MissingCalls missing{{call, os_code}};
      testing::OldKernel kernel(missing);
      const testing::ScopedCallHook hook(kernel);
      EXPECT_FALSE(pidfds_work()) << call;
    }
  }
}

using State = PidfdExit::State;

// A child that ends in `end`; what its pidfd says before and after it is reaped.
struct Asked {
  PidfdExit before;
  PidfdExit after;
};

template <typename End>
Asked ask(End end) {
  const pid_t child = ::fork();
  if (child == 0) {
    end();
    ::_exit(0);
  }
  const auto pin = open_pidfd(Pid{child});
  EXPECT_TRUE(pin && *pin);
  siginfo_t info{};
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  Asked asked{.before = pidfd_exit(**pin), .after = {}};
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  asked.after = pidfd_exit(**pin);
  return asked;
}

TEST(PidfdExit, TellsHowItEndedOnceItWasReaped) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Asked exited = ask([] { ::_exit(7); });
  if (exited.after.state == State::kCannotTell) GTEST_SKIP() << "this kernel does not tell";
  EXPECT_EQ(exited.before.state, State::kNotYet) << "a zombie";
  ASSERT_EQ(exited.after.state, State::kEnded);
  EXPECT_EQ(exited.after.end->how, ChildEnd::How::kExited);
  EXPECT_EQ(exited.after.end->value, 7);
  const Asked killed = ask([] { ::raise(SIGKILL); });
  ASSERT_EQ(killed.after.state, State::kEnded);
  EXPECT_EQ(killed.after.end->how, ChildEnd::How::kSignalled);
  EXPECT_EQ(killed.after.end->value, SIGKILL);
}

// Whoever asks does not know when the parent reaps.
TEST(PidfdExit, ItIsToldToWhoAsksAtTheMomentOfReaping) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  if (ask([] {}).after.state == State::kCannotTell) GTEST_SKIP() << "this kernel does not tell";
  for (int i = 0; i < 500; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(7);
    const auto pin = open_pidfd(Pid{child});
    ASSERT_TRUE(pin && *pin);
    std::thread parent([child] { EXPECT_EQ(::waitpid(child, nullptr, 0), child); });
    PidfdExit exit = pidfd_exit(**pin);
    while (exit.state == State::kNotYet) exit = pidfd_exit(**pin);
    parent.join();
    ASSERT_EQ(exit.state, State::kEnded) << i;
  }
}

TEST(PidfdExit, AnOldKernelCannotTell) {
  const testing::MissingCalls missing{{"ioctl_pidfd_info", ENOTTY}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(pidfd_exit(Handle()).state, State::kCannotTell);
}

TEST(ProcessMark, StaysInAProcessAndChangesWithAFork) {
  const std::int64_t mine = process_mark();
  EXPECT_EQ(mine, process_mark());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(process_mark() != mine && process_mark() == process_mark() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the child kept its parent's mark";
}

}  // namespace
}  // namespace holdfast::os
