// SPDX-License-Identifier: Apache-2.0
#include "os/lock/wait_limit.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

TEST(WaitLimit, ANegativeLimitIsRefused) {
  const auto limit = WaitLimit::start(milliseconds(-1));
  ASSERT_FALSE(limit);
  EXPECT_EQ(limit.error().cause, "einval");
}

TEST(WaitLimit, TheTimeIsUpByTheClockAndNotByASignal) {
  const auto later = WaitLimit::start(Duration::max());
  ASSERT_TRUE(later);
  ::raise(SIGALRM);
  EXPECT_FALSE((*later)->passed());
}

TEST(WaitLimit, ASignalThatWasBlockedInterruptsAndIsBlockedAgain) {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigset_t before;
  ASSERT_EQ(::sigprocmask(SIG_BLOCK, &alarm, &before), 0);
  {
    const auto limit = WaitLimit::start(milliseconds(1));
    ASSERT_TRUE(limit);
    while (!(*limit)->passed()) ::pause();
  }
  sigset_t after;
  ASSERT_EQ(::sigprocmask(SIG_SETMASK, &before, &after), 0);
  EXPECT_EQ(sigismember(&after, SIGALRM), 1);
}

TEST(WaitLimit, AfterItsEndSignalsAreAsBeforeAndNoneIsOnItsWay) {
  struct sigaction before{};
  struct sigaction ignored{};
  ignored.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGALRM, &ignored, &before), 0);
  {
    const auto limit = WaitLimit::start(Duration::zero());
    ASSERT_TRUE(limit);
    EXPECT_TRUE((*limit)->passed());
  }
  struct sigaction after{};
  ASSERT_EQ(::sigaction(SIGALRM, &before, &after), 0);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
  sigset_t pending;
  ASSERT_EQ(::sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, SIGALRM), 0);
}

}  // namespace
}  // namespace holdfast::os
