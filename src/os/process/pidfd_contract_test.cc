// SPDX-License-Identifier: Apache-2.0
#include "os/process/pidfd.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "os/signal/signals.h"
#include "os/watch/poll.h"
#include "testing/programs.h"

namespace holdfast::os {
namespace {

TEST(PidfdChild, DISABLED_Sleeps) {
  testing::tell("there");
  pause(std::chrono::minutes(1));
}

TEST(PidfdContract, OneselfIsThereAndHasNotEnded) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const auto self = open_pidfd(own_pid());
  ASSERT_TRUE(self && *self);
  EXPECT_FALSE(has_ended(**self).value());
  EXPECT_EQ(signal_pidfd(**self, 0).value(), Sent::kSent);
  EXPECT_TRUE(pid_in_use(own_pid()).value());
}

TEST(PidfdContract, ANumberThatNobodyHasIsAnAnswer) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  EXPECT_FALSE(open_pidfd(Pid{0x3ffffff0}).value());
  EXPECT_FALSE(pid_in_use(Pid{0x3ffffff0}).value());
}

TEST(PidfdContract, WhatIsKilledThroughAPinEndsAndThePinGoesOnMeaningIt) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  testing::OwnStart child({.test = "PidfdChild.DISABLED_Sleeps"});
  ASSERT_EQ(child.hear(), "there");
  const auto pin = open_pidfd(child.pid());
  ASSERT_TRUE(pin && *pin);
  EXPECT_FALSE(has_ended(**pin).value());
  EXPECT_EQ(signal_pidfd(**pin, kSignalKill).value(), Sent::kSent);
  ASSERT_TRUE(wait_readable({&**pin}, std::chrono::seconds(30)).value());
  EXPECT_TRUE(has_ended(**pin).value());
  const ChildEnd end = child.wait();
  EXPECT_EQ(end.how, ChildEnd::How::kSignalled);
  EXPECT_EQ(end.value, kSignalKill);
  EXPECT_EQ(signal_pidfd(**pin, kSignalKill).value(), Sent::kGone);
  const PidfdExit exit = pidfd_exit(**pin);
  EXPECT_TRUE(exit.state == PidfdExit::State::kCannotTell || exit.end->value == kSignalKill);
  EXPECT_NE(exit.state, PidfdExit::State::kNotYet);
}

}  // namespace
}  // namespace holdfast::os
