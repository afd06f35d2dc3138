// SPDX-License-Identifier: Apache-2.0
#include "os/process/pidfd.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

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

}  // namespace
}  // namespace holdfast::os
