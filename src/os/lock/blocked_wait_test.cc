// SPDX-License-Identifier: Apache-2.0
#include "os/lock/blocked_wait.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "os/dir/dir.h"
#include "os/lock/lock_holders.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using namespace std::chrono_literals;
using testing::TempDir;

constexpr std::uint64_t kByte = std::uint64_t{1} << 41U;

class BlockedWait : public ::testing::Test {
 protected:
  [[nodiscard]] File open() const {
    const SafeName name = "ledger"_name;
    auto file = tmp_.dir().open_file(name, Access::kReadWrite);
    if (file && !*file) file = tmp_.dir().create_file(name, 0600);
    EXPECT_TRUE(file && *file);
    EXPECT_TRUE((*file)->allocate(4096));
    return std::move(**file);
  }
  [[nodiscard]] MonoTime in(Duration time) const { return clock_.mono() + time; }
  static BlockOn byte_of(const File& file, Share share = Share::kExclusive) {
    return {.kind = BlockOn::Kind::kByte, .handle = file.native(), .offset = kByte, .share = share};
  }

  TempDir tmp_;
  RealClock clock_;
};

TEST_F(BlockedWait, AByteOfOneDescriptionIsRefusedToAnother) {
  const File one = open();
  const File other = open();
  EXPECT_TRUE(try_lock_byte(one, kByte, Share::kExclusive).value());
  EXPECT_TRUE(try_lock_byte(one, kByte, Share::kExclusive).value());  // its own
  EXPECT_FALSE(try_lock_byte(other, kByte, Share::kExclusive).value());
  EXPECT_FALSE(try_lock_byte(other, kByte, Share::kShared).value());
  EXPECT_TRUE(is_byte_taken(other, kByte, Share::kShared).value());
  EXPECT_FALSE(is_byte_taken(one, kByte, Share::kExclusive).value());
  EXPECT_TRUE(is_any_byte_taken(other, 0).value());
  EXPECT_TRUE(unlock_byte(one, kByte));
  EXPECT_TRUE(try_lock_byte(other, kByte, Share::kExclusive).value());
}

TEST_F(BlockedWait, AWaitWhoseHelperIsJoinedLaterGetsTheByteAndLeavesNoWaiterBehind) {
  const File holder = open();
  const File waiter = open();
  EndingHelper ending;
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
    std::thread release([&] { EXPECT_TRUE(unlock_byte(holder, kByte)); });
    const auto woken = blocked_wait(byte_of(waiter), nullptr, 0, nullptr, std::nullopt, &ending);
    release.join();
    ASSERT_TRUE(woken);
    EXPECT_EQ(*woken, Woken::kGot);
    EXPECT_FALSE(try_lock_byte(holder, kByte, Share::kExclusive).value()) << "the waiter has it";
    ASSERT_TRUE(unlock_byte(waiter, kByte));
  }
  // With a limit, nothing is left behind: the helper was cancelled and joined.
  ASSERT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
  const auto late = blocked_wait(byte_of(waiter), nullptr, 0, nullptr, in(1ms), &ending);
  EXPECT_EQ(late.value(), Woken::kTimedOut);
  ASSERT_TRUE(unlock_byte(holder, kByte));
  EXPECT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value())
      << "no helper waits any more";
}

TEST_F(BlockedWait, WhoHasAByteIsFoundThroughTheKernelsList) {
  const File file = open();
  const auto id = file.info()->id;
  EXPECT_TRUE(byte_holders(id, kByte).empty());
  ASSERT_TRUE(try_lock_byte(file, kByte, Share::kExclusive).value());
  EXPECT_EQ(byte_holders(id, kByte), std::vector{Pid{::getpid()}});
  EXPECT_TRUE(byte_holders(id, kByte + 1).empty());
  ASSERT_TRUE(try_lock_byte(file, kByte + 1, Share::kExclusive).value());
  EXPECT_EQ(byte_holders(id, kByte), std::vector{Pid{::getpid()}}) << "two that the kernel joined";
  EXPECT_EQ(byte_holders(id, kByte + 1), std::vector{Pid{::getpid()}});
  EXPECT_TRUE(byte_holders(id, kByte - 1).empty());
}

TEST_F(BlockedWait, SeveralBytesAreTakenAndGivenBackInOneStep) {
  const File one = open();
  const File other = open();
  ASSERT_TRUE(try_lock_byte(other, kByte + 2, Share::kExclusive).value());
  EXPECT_FALSE(try_lock_bytes(one, kByte, 3, Share::kExclusive).value());
  EXPECT_FALSE(is_byte_taken(other, kByte, Share::kExclusive).value()) << "a part of it stayed";
  ASSERT_TRUE(try_lock_bytes(one, kByte, 2, Share::kExclusive).value());
  ASSERT_TRUE(unlock_byte(one, kByte));
  EXPECT_FALSE(is_byte_taken(other, kByte, Share::kExclusive).value());
  EXPECT_TRUE(is_byte_taken(other, kByte + 1, Share::kExclusive).value());
  ASSERT_TRUE(try_lock_byte(one, kByte, Share::kExclusive).value());
  ASSERT_TRUE(unlock_bytes(one, kByte, 2));
  EXPECT_FALSE(is_any_byte_taken(other, kByte).value());
}

TEST_F(BlockedWait, TheLimitEndsTheWaitAndLeavesNoLock) {
  const File holder = open();
  const File waiter = open();
  ASSERT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
  EXPECT_EQ(blocked_wait(byte_of(waiter), nullptr, 0, nullptr, in(20ms)).value(), Woken::kTimedOut);
  ASSERT_TRUE(unlock_byte(holder, kByte));
  EXPECT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
}

TEST_F(BlockedWait, TheByteIsGotWhenItIsGivenBack) {
  const File holder = open();
  const File waiter = open();
  ASSERT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
  std::thread releaser([&] { EXPECT_TRUE(unlock_byte(holder, kByte)); });
  EXPECT_EQ(blocked_wait(byte_of(waiter), nullptr, 0, nullptr, in(60s)).value(), Woken::kGot);
  releaser.join();
  EXPECT_FALSE(try_lock_byte(holder, kByte, Share::kExclusive).value());
}

TEST_F(BlockedWait, AWordThatChangedBeforeTheSleepEndsItAtOnce) {
  const File holder = open();
  const File waiter = open();
  ASSERT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
  const auto word = SharedWord::map(waiter, 64);
  ASSERT_TRUE(word);
  const std::uint32_t seen = word->load().value();
  const auto others = SharedWord::map(holder, 64);
  ASSERT_TRUE(others->bump());
  EXPECT_EQ(blocked_wait(byte_of(waiter), &*word, seen, nullptr, in(60s)).value(), Woken::kMoved);
}

TEST_F(BlockedWait, AWordThatAnotherProcessChangesWakesTheSleeper) {
  const File holder = open();
  const File waiter = open();
  ASSERT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
  const auto word = SharedWord::map(waiter, 64);
  const std::uint32_t seen = word->load().value();
  const pid_t child = fork();
  if (child == 0) _exit(word->bump() ? 0 : 1);
  EXPECT_EQ(blocked_wait(byte_of(waiter), &*word, seen, nullptr, in(60s)).value(), Woken::kMoved);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
}

TEST_F(BlockedWait, AFlagEndsItFromAnotherThread) {
  const File holder = open();
  const File waiter = open();
  ASSERT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
  Flag cancel;
  std::thread canceller([&] { cancel.raise(); });
  EXPECT_EQ(blocked_wait(byte_of(waiter), nullptr, 0, &cancel, std::nullopt).value(),
            Woken::kCancelled);
  canceller.join();
}

TEST_F(BlockedWait, TheEndOfAProcessIsWaitedForInTheSameWay) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const pid_t child = fork();
  if (child == 0) _exit(0);
  const auto pidfd = open_pidfd(Pid{child});
  ASSERT_TRUE(pidfd && *pidfd);
  const BlockOn end{.kind = BlockOn::Kind::kReadable, .handle = (*pidfd)->get()};
  EXPECT_EQ(blocked_wait(end, nullptr, 0, nullptr, in(60s)).value(), Woken::kGot);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
}

TEST_F(BlockedWait, AWaitThatIsGivenUpDoesNotSpoilTheNext) {
  const File holder = open();
  const File waiter = open();
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(try_lock_byte(holder, kByte, Share::kExclusive).value());
    EXPECT_EQ(blocked_wait(byte_of(waiter), nullptr, 0, nullptr, in(1ms)).value(),
              Woken::kTimedOut);
    ASSERT_TRUE(unlock_byte(holder, kByte));
    EXPECT_EQ(blocked_wait(byte_of(waiter), nullptr, 0, nullptr, in(60s)).value(), Woken::kGot);
    ASSERT_TRUE(unlock_byte(waiter, kByte));
  }
}

// Some get the byte, some give up in that very moment; whoever got it has it alone.
TEST_F(BlockedWait, ManyThreadsThatWaitAndGiveUpNeverHaveItTogether) {
  std::atomic<int> inside{0};
  std::atomic<int> got{0};
  const auto work = [&](int self) {
    const File file = open();
    for (int i = 0; i < 60; ++i) {
      const Duration patience = std::chrono::microseconds((self * 7 + i) % 5 * 40);
      const auto woken = blocked_wait(byte_of(file), nullptr, 0, nullptr, in(patience));
      ASSERT_TRUE(woken);
      if (!try_lock_byte(file, kByte, Share::kExclusive).value()) continue;
      EXPECT_EQ(inside.fetch_add(1), 0);
      ++got;
      inside.fetch_sub(1);
      ASSERT_TRUE(unlock_byte(file, kByte));
    }
  };
  static_cast<void>(open());  // it is made
  std::vector<std::thread> threads;
  for (int self = 0; self < 4; ++self) threads.emplace_back(work, self);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(got, 0);
}

TEST_F(BlockedWait, AFileThatWasCutShortIsAnErrorAndNoSignal) {
  const File file = open();
  const auto word = SharedWord::map(file, 64);
  ASSERT_TRUE(word);
  ASSERT_EQ(::truncate(tmp_.path("ledger").c_str(), 0), 0);
  EXPECT_FALSE(word->load());
  EXPECT_FALSE(blocked_wait({}, &*word, 0, nullptr, in(60s)));
}

}  // namespace
}  // namespace holdfast::os
