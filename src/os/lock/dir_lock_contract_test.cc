// SPDX-License-Identifier: Apache-2.0
#include "os/lock/dir_lock.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "os/machine/real_clock.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

constexpr Duration kDirLockContractOnce = Duration::zero();

class DirLockContract : public ::testing::Test {
 protected:
  DirLock open() { return DirLock::open(temp_.dir()).value(); }

  holdfast::testing::TempDir temp_;
};

TEST_F(DirLockContract, TwoObjectsExcludeEachOther) {
  DirLock one = open();
  DirLock other = open();
  EXPECT_TRUE(one.lock(kDirLockContractOnce).value());
  EXPECT_FALSE(other.lock(kDirLockContractOnce).value());
  one.unlock();
  EXPECT_TRUE(other.lock(kDirLockContractOnce).value());
  EXPECT_FALSE(one.lock(kDirLockContractOnce).value());
}

TEST_F(DirLockContract, AnotherWayToTheSameDirectoryIsTheSameLock) {
  DirLock one = open();
  const Dir again = Dir::open_following_links(temp_.path()).value();
  DirLock other = DirLock::open(again).value();
  EXPECT_TRUE(one.lock(kDirLockContractOnce).value());
  EXPECT_FALSE(other.lock(kDirLockContractOnce).value());
}

TEST_F(DirLockContract, TwoDirectoriesAreTwoLocks) {
  ASSERT_TRUE(temp_.dir().make_dir("d"_name, 0700));
  const Dir below = temp_.dir().open_dir("d"_name).value();
  DirLock one = open();
  DirLock other = DirLock::open(below).value();
  EXPECT_TRUE(one.lock(kDirLockContractOnce).value());
  EXPECT_TRUE(other.lock(kDirLockContractOnce).value());
}

TEST_F(DirLockContract, TheEndOfTheObjectGivesItBack) {
  DirLock other = open();
  {
    DirLock one = open();
    ASSERT_TRUE(one.lock(kDirLockContractOnce).value());
    ASSERT_FALSE(other.lock(kDirLockContractOnce).value());
  }
  EXPECT_TRUE(other.lock(kDirLockContractOnce).value());
}

TEST_F(DirLockContract, TheLockGoesWithTheObjectThatIsMoved) {
  DirLock other = open();
  std::optional<DirLock> one = open();
  ASSERT_TRUE(one->lock(kDirLockContractOnce).value());
  {
    const DirLock moved = std::move(*one);
    one.reset();
    EXPECT_FALSE(other.lock(kDirLockContractOnce).value());
  }
  EXPECT_TRUE(other.lock(kDirLockContractOnce).value());
}

TEST_F(DirLockContract, AnObjectThatIsReplacedGivesItsLockBack) {
  DirLock other = open();
  DirLock one = open();
  ASSERT_TRUE(one.lock(kDirLockContractOnce).value());
  one = open();
  EXPECT_TRUE(other.lock(kDirLockContractOnce).value());
}

TEST_F(DirLockContract, TheDirMayBeClosedBeforeItsLock) {
  std::optional<Dir> dir = Dir::open(temp_.path()).value();
  DirLock one = DirLock::open(*dir).value();
  dir.reset();
  EXPECT_TRUE(one.lock(kDirLockContractOnce).value());
}

TEST_F(DirLockContract, UnlockingWhatIsNotLockedDoesNothing) {
  DirLock one = open();
  DirLock other = open();
  ASSERT_TRUE(one.lock(kDirLockContractOnce).value());
  other.unlock();
  EXPECT_FALSE(other.lock(kDirLockContractOnce).value());
  one.unlock();
  one.unlock();
  EXPECT_TRUE(one.lock(kDirLockContractOnce).value());
}

// It ends, and not before the limit; how much later is the machine's business.
TEST_F(DirLockContract, AHeldLockCostsTheLimit) {
  DirLock one = open();
  DirLock other = open();
  ASSERT_TRUE(one.lock(kDirLockContractOnce).value());
  constexpr Duration kLimit = std::chrono::milliseconds(5);
  const RealClock clock;
  const MonoTime start = clock.mono();
  EXPECT_FALSE(other.lock(kLimit).value());
  EXPECT_GE(clock.mono() - start, kLimit);
  EXPECT_FALSE(other.lock(Duration(-1)).value());
}

class FileLockContract : public ::testing::Test {
 protected:
  void SetUp() override {
    auto file = temp_.dir().create_file("f"_name, 0600);
    ASSERT_TRUE(file && *file);
    ASSERT_TRUE((*file)->write_all("content"));
  }
  File open(Access access = Access::kReadWrite) {
    return temp_.dir().open_file("f"_name, access).value().value();
  }

  holdfast::testing::TempDir temp_;
};

TEST_F(FileLockContract, TwoOpenFilesExcludeEachOther) {
  const File one = open();
  const File other = open();
  EXPECT_TRUE(try_lock_file(one).value());
  EXPECT_FALSE(try_lock_file(other).value());
  unlock_file(one);
  EXPECT_TRUE(try_lock_file(other).value());
  EXPECT_FALSE(try_lock_file(one).value());
}

TEST_F(FileLockContract, ClosingTheFileGivesItBack) {
  File one = open();
  const File other = open();
  ASSERT_TRUE(try_lock_file(one).value());
  ASSERT_TRUE(one.close());
  EXPECT_TRUE(try_lock_file(other).value());
}

TEST_F(FileLockContract, ItIsWaitedForUpToTheLimit) {
  const File one = open();
  const File other = open();
  ASSERT_TRUE(lock_file(one, Duration::zero()).value());
  EXPECT_FALSE(lock_file(other, std::chrono::milliseconds(20)).value());
  std::thread holder([&] {
    pause(std::chrono::milliseconds(20));
    unlock_file(one);
  });
  EXPECT_TRUE(lock_file(other, std::chrono::minutes(1)).value());
  holder.join();
  EXPECT_FALSE(try_lock_file(one).value());
}

TEST_F(FileLockContract, TheLockKeepsNobodyFromReadingAndWriting) {
  const File one = open();
  File other = open();
  ASSERT_TRUE(try_lock_file(one).value());
  EXPECT_TRUE(other.write_at(0, "C"));
  EXPECT_EQ(other.read_all(100).value(), "Content");
}

TEST_F(FileLockContract, AClosedFileIsAnErrorAndNotBusy) {
  File one = open();
  ASSERT_TRUE(one.close());
  const auto locked = try_lock_file(one);
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().cause, "ebadf");
}

}  // namespace
}  // namespace holdfast::os
