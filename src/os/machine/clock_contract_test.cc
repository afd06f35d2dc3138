// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "os/machine/real_clock.h"

namespace holdfast::os {
namespace {

TEST(ClockContract, TheWallClockTellsADateOfThisCentury) {
  using std::chrono::sys_days;
  using std::chrono::year;
  const WallTime now = RealClock().wall();
  EXPECT_GT(now, WallTime(sys_days(year(2024) / 1 / 1)));
  EXPECT_LT(now, WallTime(sys_days(year(2100) / 1 / 1)));
}

TEST(ClockContract, BootAndMonoNeverGoBackAndDoGoOn) {
  const RealClock clock;
  const BootTime boot_start = clock.boot();
  const MonoTime mono_start = clock.mono();
  BootTime boot = boot_start;
  MonoTime mono = mono_start;
  while (boot == boot_start || mono == mono_start) {
    const BootTime boot_now = clock.boot();
    const MonoTime mono_now = clock.mono();
    ASSERT_GE(boot_now, boot);
    ASSERT_GE(mono_now, mono);
    boot = boot_now;
    mono = mono_now;
  }
  EXPECT_GT(boot_start, BootTime{});
  EXPECT_GT(mono_start, MonoTime{});
}

// Deadlines are counted in nanoseconds of boot time; a clock in other units would still go on.
TEST(ClockContract, TheClocksAgreeOnHowLongAWhileIs) {
  using std::chrono::milliseconds;
  const RealClock clock;
  const BootTime boot_start = clock.boot();
  const MonoTime mono_start = clock.mono();
  while (clock.mono() - mono_start < milliseconds(50)) {
  }
  const Duration boot_took = clock.boot() - boot_start;
  EXPECT_GE(boot_took, milliseconds(25));
  EXPECT_LT(boot_took, milliseconds(50) * 100);
}

}  // namespace
}  // namespace holdfast::os
