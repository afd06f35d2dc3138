// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signals.h"

#include <gtest/gtest.h>

#include "os/watch/poll.h"

namespace holdfast::os {
namespace {

TEST(SignalsContract, WhatAsksToEndIsKnownAndHasAName) {
  EXPECT_TRUE(asks_to_end(kSignalTerm));
  EXPECT_FALSE(asks_to_end(kSignalKill));
  EXPECT_FALSE(asks_to_end(continue_signal()));
  EXPECT_EQ(signal_name(kSignalTerm), "TERM");
  EXPECT_EQ(signal_name(kSignalKill), "KILL");
  EXPECT_EQ(signal_name(2), "INT");
  EXPECT_EQ(signal_name(99), "signal 99");
}

TEST(SignalsContract, AnInboxIsQuietUntilSomethingCame) {
  const auto state = block_signals();
  ASSERT_TRUE(state);
  auto inbox = SignalInbox::open();
  ASSERT_TRUE(inbox);
  EXPECT_FALSE(is_readable(inbox->handle()).value());
  const auto next = inbox->next();
  ASSERT_TRUE(next);
  EXPECT_FALSE(*next);
  EXPECT_TRUE(restore_signals(*state));
}

}  // namespace
}  // namespace holdfast::os
