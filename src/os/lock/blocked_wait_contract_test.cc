// SPDX-License-Identifier: Apache-2.0
#include "os/lock/blocked_wait.h"

#include <gtest/gtest.h>

#include <thread>

#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "os/spawn/env.h"
#include "testing/programs.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kFarOffset = std::uint64_t{1} << 41U;
constexpr Duration kBlockedWaitContractLong = std::chrono::seconds(60);

File blocked_wait_contract_open_in(const Dir& dir) {
  auto made = dir.create_file("locked"_name, 0600);
  if (made && *made) return std::move(**made);
  return std::move(dir.open_file("locked"_name, Access::kReadWrite).value().value());
}

class BlockedWaitContract : public ::testing::Test {
 protected:
  BlockedWaitContract() { EXPECT_TRUE(holder_.write_at(0, std::string(64, '\0'))); }

  BlockOn far_byte(Share share = Share::kExclusive) {
    return {.kind = BlockOn::Kind::kByte,
            .handle = waiter_.native(),
            .offset = kFarOffset,
            .share = share};
  }
  MonoTime later(Duration by) { return clock_.mono() + by; }

  testing::TempDir tmp_;
  RealClock clock_;
  File holder_ = blocked_wait_contract_open_in(tmp_.dir());
  File waiter_ = blocked_wait_contract_open_in(tmp_.dir());
};

TEST_F(BlockedWaitContract, WhatIsFreeIsGotAndHeld) {
  EXPECT_EQ(blocked_wait(far_byte(), nullptr, 0, nullptr, later(kBlockedWaitContractLong)).value(),
            Woken::kGot);
  EXPECT_FALSE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
  ASSERT_TRUE(unlock_byte(waiter_, kFarOffset));
  EXPECT_TRUE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
}

TEST_F(BlockedWaitContract, AByteThatIsGivenBackIsGot) {
  ASSERT_TRUE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
  std::jthread giver([&] {
    pause(50ms);
    EXPECT_TRUE(unlock_byte(holder_, kFarOffset));
  });
  EXPECT_EQ(blocked_wait(far_byte(), nullptr, 0, nullptr, later(kBlockedWaitContractLong)).value(),
            Woken::kGot);
  giver.join();
  EXPECT_FALSE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
}

TEST_F(BlockedWaitContract, TheFlockIsWaitedForToo) {
  ASSERT_TRUE(try_flock(holder_, Share::kExclusive).value());
  const BlockOn what{.kind = BlockOn::Kind::kFlock, .handle = waiter_.native()};
  EXPECT_EQ(blocked_wait(what, nullptr, 0, nullptr, later(30ms)).value(), Woken::kTimedOut);
  ASSERT_TRUE(unlock_flock(holder_));
  EXPECT_EQ(blocked_wait(what, nullptr, 0, nullptr, later(kBlockedWaitContractLong)).value(),
            Woken::kGot);
  EXPECT_FALSE(try_flock(holder_, Share::kShared).value());
}

TEST_F(BlockedWaitContract, ATimeOutLeavesNothingBehind) {
  ASSERT_TRUE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
  const MonoTime begun = clock_.mono();
  EXPECT_EQ(blocked_wait(far_byte(), nullptr, 0, nullptr, later(80ms)).value(), Woken::kTimedOut);
  EXPECT_GE(clock_.mono() - begun, 80ms);
  ASSERT_TRUE(unlock_byte(holder_, kFarOffset));
  EXPECT_TRUE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
}

TEST_F(BlockedWaitContract, AFlagEndsIt) {
  ASSERT_TRUE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
  Flag cancel;
  std::jthread other([&] {
    pause(30ms);
    cancel.raise();
  });
  EXPECT_EQ(blocked_wait(far_byte(), nullptr, 0, &cancel, later(kBlockedWaitContractLong)).value(),
            Woken::kCancelled);
}

TEST_F(BlockedWaitContract, AFlagCanBeWhatIsWaitedFor) {
  Flag turn;
  const BlockOn what{.kind = BlockOn::Kind::kFlag, .flag = &turn};
  EXPECT_EQ(blocked_wait(what, nullptr, 0, nullptr, later(20ms)).value(), Woken::kTimedOut);
  std::jthread other([&] {
    pause(30ms);
    turn.raise();
  });
  EXPECT_EQ(blocked_wait(what, nullptr, 0, nullptr, later(kBlockedWaitContractLong)).value(),
            Woken::kGot);
}

TEST_F(BlockedWaitContract, AMovedWordEndsItAlsoIfItMovedBefore) {
  ASSERT_TRUE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
  const SharedWord seen = SharedWord::map(waiter_, 16).value();
  const SharedWord moved = SharedWord::map(holder_, 16).value();
  const std::uint32_t before = seen.load().value();
  std::jthread other([&] {
    pause(30ms);
    EXPECT_TRUE(moved.bump());
  });
  EXPECT_EQ(
      blocked_wait(far_byte(), &seen, before, nullptr, later(kBlockedWaitContractLong)).value(),
      Woken::kMoved);
  other.join();
  EXPECT_EQ(
      blocked_wait(far_byte(), &seen, before, nullptr, later(kBlockedWaitContractLong)).value(),
      Woken::kMoved);
  EXPECT_EQ(seen.load().value(), before + 1);
}

TEST(BlockedWaitChild, DISABLED_Sleeps) {
  testing::tell("there");
  pause(std::chrono::minutes(1));
}

TEST_F(BlockedWaitContract, TheEndOfAProcessIsWaitedFor) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  testing::OwnStart child({.test = "BlockedWaitChild.DISABLED_Sleeps"});
  ASSERT_EQ(child.hear(), "there");
  const BlockOn what{.kind = BlockOn::Kind::kReadable, .handle = child.process().get()};
  EXPECT_EQ(blocked_wait(what, nullptr, 0, nullptr, later(20ms)).value(), Woken::kTimedOut);
  std::jthread killer([&] {
    pause(30ms);
    EXPECT_EQ(signal_pidfd(child.process(), kSignalKill).value(), Sent::kSent);
  });
  EXPECT_EQ(blocked_wait(what, nullptr, 0, nullptr, later(kBlockedWaitContractLong)).value(),
            Woken::kGot);
}

TEST_F(BlockedWaitContract, ManyWaitersAllGetIt) {
  ASSERT_TRUE(try_lock_byte(holder_, kFarOffset, Share::kExclusive).value());
  std::atomic<int> got{0};
  {
    std::vector<std::jthread> waiters;
    for (int i = 0; i < 6; ++i) {
      waiters.emplace_back([&] {
        const File mine = blocked_wait_contract_open_in(tmp_.dir());
        const BlockOn what{
            .kind = BlockOn::Kind::kByte, .handle = mine.native(), .offset = kFarOffset};
        if (blocked_wait(what, nullptr, 0, nullptr, later(kBlockedWaitContractLong)).value() ==
            Woken::kGot)
          ++got;
        EXPECT_TRUE(unlock_byte(mine, kFarOffset));
      });
    }
    pause(30ms);
    ASSERT_TRUE(unlock_byte(holder_, kFarOffset));
  }
  EXPECT_EQ(got.load(), 6);
}

}  // namespace
}  // namespace holdfast::os
