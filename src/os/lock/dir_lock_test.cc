// SPDX-License-Identifier: Apache-2.0
//
// What death and fork make of a lock, and how it is waited for.
#include "os/lock/dir_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <optional>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

constexpr Duration kDirLockOnce = Duration::zero();
constexpr Duration kDirLockLong = std::chrono::minutes(1);

class DirLockLinux : public ::testing::Test {
 protected:
  DirLock open() { return DirLock::open(tmp_.dir()).value(); }

  testing::TempDir tmp_;
};

// A child that runs `work`, says so with a byte, and waits to be killed.
class WaitingChild {
 public:
  explicit WaitingChild(const std::function<bool()>& work) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      const char answer = work() ? 'y' : 'n';
      if (::write(ends[1], &answer, 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(ends[1]);
    EXPECT_EQ(::read(ends[0], &answer_, 1), 1);
    ::close(ends[0]);
  }
  ~WaitingChild() { kill(); }
  WaitingChild(const WaitingChild&) = delete;
  WaitingChild& operator=(const WaitingChild&) = delete;

  [[nodiscard]] bool said_yes() const { return answer_ == 'y'; }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  char answer_ = '?';
};

TEST_F(DirLockLinux, ADeadHolderHoldsNothing) {
  DirLock mine = open();
  WaitingChild child([&] {
    static DirLock held = open();
    const auto locked = held.lock(kDirLockOnce);
    return locked && *locked;
  });
  ASSERT_TRUE(child.said_yes());
  ASSERT_FALSE(mine.lock(kDirLockOnce).value());
  child.kill();
  EXPECT_TRUE(mine.lock(kDirLockOnce).value());
}

TEST_F(DirLockLinux, AChildHasNoShareInItsParentsLock) {
  DirLock mine = open();
  ASSERT_TRUE(mine.lock(kDirLockOnce).value());
  const WaitingChild child([&] {
    const auto locked = mine.lock(kDirLockOnce);
    return locked && !*locked;
  });
  EXPECT_TRUE(child.said_yes());
}

TEST_F(DirLockLinux, AChildCannotUnlockForItsParent) {
  DirLock mine = open();
  ASSERT_TRUE(mine.lock(kDirLockOnce).value());
  const WaitingChild child([&] {
    mine.unlock();
    const DirLock ended = std::move(mine);
    return true;
  });
  ASSERT_TRUE(child.said_yes());
  DirLock other = open();
  EXPECT_FALSE(other.lock(kDirLockOnce).value());
}

TEST_F(DirLockLinux, TheParentIsKeptOutByItsChild) {
  DirLock mine = open();
  const WaitingChild child([&] {
    const auto locked = mine.lock(kDirLockOnce);
    return locked && *locked;
  });
  ASSERT_TRUE(child.said_yes());
  EXPECT_FALSE(mine.lock(kDirLockOnce).value());
}

TEST_F(DirLockLinux, AChildThatHasTheHandleDoesNotKeepALockThatEnded) {
  std::optional<DirLock> mine = open();
  ASSERT_TRUE(mine->lock(kDirLockOnce).value());
  const WaitingChild child([] { return true; });
  mine.reset();
  DirLock other = open();
  EXPECT_TRUE(other.lock(kDirLockOnce).value());
}

TEST_F(DirLockLinux, AChildThatHasTheHandleDoesNotKeepALockThatWasReplaced) {
  DirLock mine = open();
  ASSERT_TRUE(mine.lock(kDirLockOnce).value());
  const WaitingChild child([] { return true; });
  mine = open();
  DirLock other = open();
  EXPECT_TRUE(other.lock(kDirLockOnce).value());
}

TEST_F(DirLockLinux, ADirectoryThatWasRemovedCanStillBeLocked) {
  ASSERT_TRUE(tmp_.dir().make_dir("d"_name, 0700));
  DirLock lock = DirLock::open(tmp_.dir().open_dir("d"_name).value()).value();
  ASSERT_TRUE(tmp_.dir().remove_dir("d"_name));
  EXPECT_TRUE(lock.lock(kDirLockOnce).value());
}

// Answers flock with "busy" so many times, and counts the calls.
class Busy final : public testing::CallHook {
 public:
  explicit Busy(int times, int os_code = EWOULDBLOCK) : times_(times), os_code_(os_code) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name == "nanosleep") ++pauses;
    if (call.name == "clock_gettime") ++looks;
    if (call.name != "flock" || ++tries > times_) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = os_code_};
  }
  int tries = 0;
  int pauses = 0;
  int looks = 0;

 private:
  int times_;
  int os_code_;
};

TEST_F(DirLockLinux, AFreeLockCostsOneTryAndNoLookAtTheClock) {
  DirLock lock = open();
  Busy busy(0);
  const testing::ScopedCallHook hook(busy);
  EXPECT_TRUE(lock.lock(kDirLockLong).value());
  EXPECT_EQ(busy.tries, 1);
  EXPECT_EQ(busy.looks, 0);
}

TEST_F(DirLockLinux, WithoutALimitItIsTriedOnce) {
  DirLock lock = open();
  Busy busy(1);
  const testing::ScopedCallHook hook(busy);
  EXPECT_FALSE(lock.lock(kDirLockOnce).value());
  EXPECT_EQ(busy.tries, 1);
  EXPECT_EQ(busy.looks, 0);
  EXPECT_EQ(busy.pauses, 0);
}

TEST_F(DirLockLinux, AFewTriesComeBeforeTheFirstPause) {
  DirLock lock = open();
  Busy busy(10);
  const testing::ScopedCallHook hook(busy);
  EXPECT_TRUE(lock.lock(kDirLockLong).value());
  EXPECT_EQ(busy.tries, 11);
  EXPECT_EQ(busy.pauses, 7);
}

TEST_F(DirLockLinux, AfterThatItSleepsInsteadOfTrying) {
  DirLock holder = open();
  ASSERT_TRUE(holder.lock(kDirLockOnce).value());
  DirLock lock = open();
  Busy counted(0);
  const testing::ScopedCallHook hook(counted);
  EXPECT_FALSE(lock.lock(std::chrono::milliseconds(300)).value());
  EXPECT_LE(counted.tries, 13);
  EXPECT_LE(counted.pauses, 7);
}

TEST_F(DirLockLinux, OnlyBusyIsFalseEverythingElseIsAnError) {
  DirLock lock = open();
  for (const int os_code : {ENOLCK, EBADF, EINVAL, EIO}) {
    Busy refused(1, os_code);
    const testing::ScopedCallHook hook(refused);
    const auto locked = lock.lock(kDirLockLong);
    ASSERT_FALSE(locked);
    EXPECT_EQ(locked.error().os_code, os_code);
    EXPECT_EQ(refused.tries, 1);
  }
}

TEST_F(DirLockLinux, AnInterruptionIsNeitherBusyNorAnError) {
  DirLock lock = open();
  Busy interrupted(3, EINTR);
  const testing::ScopedCallHook hook(interrupted);
  EXPECT_TRUE(lock.lock(kDirLockOnce).value());
}

TEST_F(DirLockLinux, AnUnlockThatIsRefusedUnlocksAllTheSame) {
  DirLock lock = open();
  DirLock other = open();
  ASSERT_TRUE(lock.lock(kDirLockOnce).value());
  {
    Busy refused(1, ENOLCK);
    const testing::ScopedCallHook hook(refused);
    lock.unlock();
  }
  EXPECT_TRUE(other.lock(kDirLockOnce).value());
  EXPECT_FALSE(lock.lock(kDirLockOnce).value());
  other.unlock();
  EXPECT_TRUE(lock.lock(kDirLockOnce).value());
}

}  // namespace
}  // namespace holdfast::os
