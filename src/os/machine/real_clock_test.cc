// SPDX-License-Identifier: Apache-2.0
#include "os/machine/real_clock.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>

#include "testing/sys_swap_linux.h"

namespace holdfast::os {
namespace {

TEST(RealClockDeathTest, AClockThatFailsIsNeverTimeZero) {
  const testing::MissingCalls missing{{"clock_gettime", EPERM}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EXIT(static_cast<void>(RealClock().wall()), ::testing::KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(static_cast<void>(RealClock().boot()), ::testing::KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(static_cast<void>(RealClock().mono()), ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace holdfast::os
