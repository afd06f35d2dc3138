// SPDX-License-Identifier: Apache-2.0
#include "os/watch/boot_timer.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "os/watch/poll.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Waits as an owner does: it looks at its clock whenever it is woken.
Duration lateness(const BootTimer& timer, BootTime moment) {
  const RealClock clock;
  while (clock.boot() < moment) {
    EXPECT_TRUE(wait_readable({&timer.handle()}, seconds(20)).value()) << "it was never woken";
  }
  return clock.boot() - moment;
}

TEST(BootTimerContract, ItWakesAtTheMomentAndNotMuchLater) {
  BootTimer timer = BootTimer::create().value();
  EXPECT_FALSE(is_readable(timer.handle()).value()) << "it was not set";
  for (const milliseconds delay : {milliseconds(30), milliseconds(300), milliseconds(1300)}) {
    const BootTime moment = RealClock().boot() + delay;
    ASSERT_TRUE(timer.set(moment));
    EXPECT_LT(lateness(timer, moment), milliseconds(900)) << delay.count();
  }
}

TEST(BootTimerContract, APastMomentIsDueAtOnce) {
  BootTimer timer = BootTimer::create().value();
  ASSERT_TRUE(timer.set(RealClock().boot() - seconds(1)));
  EXPECT_TRUE(wait_readable({&timer.handle()}, seconds(20)).value());
}

TEST(BootTimerContract, OneThatIsSetAnewIsQuietAgain) {
  BootTimer timer = BootTimer::create().value();
  ASSERT_TRUE(timer.set(RealClock().boot()));
  EXPECT_TRUE(wait_readable({&timer.handle()}, seconds(20)).value());
  ASSERT_TRUE(timer.set(RealClock().boot() + std::chrono::hours(1)));
  EXPECT_FALSE(is_readable(timer.handle()).value());
  ASSERT_TRUE(timer.set(std::nullopt));
  EXPECT_FALSE(wait_readable({&timer.handle()}, milliseconds(30)).value());
}

}  // namespace
}  // namespace holdfast::os
