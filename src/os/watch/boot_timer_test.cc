// SPDX-License-Identifier: Apache-2.0
#include "os/watch/boot_timer.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "os/watch/poll.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

constexpr auto kFarAway = std::chrono::hours(24);

class BootTimerTest : public ::testing::Test {
 protected:
  [[nodiscard]] bool is_due() const { return is_readable(timer_.handle()).value(); }
  [[nodiscard]] BootTime now() const { return clock_.boot(); }

  RealClock clock_;
  BootTimer timer_ = BootTimer::create().value();
};

TEST_F(BootTimerTest, OneThatWasNeverSetIsNeverDue) { EXPECT_FALSE(is_due()); }

TEST_F(BootTimerTest, ItIsDueFromItsMomentOnAndStaysSo) {
  const BootTime moment = now() + milliseconds(30);
  ASSERT_TRUE(timer_.set(moment));
  EXPECT_TRUE(wait_readable({&timer_.handle()}, milliseconds(10'000)).value());
  EXPECT_GE(now(), moment);
  EXPECT_TRUE(is_due());
}

TEST_F(BootTimerTest, AMomentInThePastIsDueAtOnceEvenTheFirstOfAll) {
  for (const BootTime moment : {now() - milliseconds(1), BootTime{}, BootTime(-kFarAway)}) {
    ASSERT_TRUE(timer_.set(moment));
    EXPECT_TRUE(wait_readable({&timer_.handle()}, milliseconds(1'000)).value());
  }
}

TEST_F(BootTimerTest, SettingItAgainMakesItUnreadableUntilThen) {
  ASSERT_TRUE(timer_.set(BootTime{}));
  ASSERT_TRUE(wait_readable({&timer_.handle()}, milliseconds(1'000)).value());
  ASSERT_TRUE(timer_.set(now() + kFarAway));
  EXPECT_FALSE(is_due());
  ASSERT_TRUE(timer_.set(BootTime{}));
  ASSERT_TRUE(wait_readable({&timer_.handle()}, milliseconds(1'000)).value());
  ASSERT_TRUE(timer_.set(std::nullopt));
  EXPECT_FALSE(is_due()) << "never";
}

TEST_F(BootTimerTest, TheLastMomentThatFitsIsFarAwayAndNotInThePast) {
  ASSERT_TRUE(timer_.set(BootTime::max()));
  EXPECT_FALSE(is_due());
}

}  // namespace
}  // namespace holdfast::os
