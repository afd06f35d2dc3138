// SPDX-License-Identifier: Apache-2.0
//
// Whatever call fails on the way: a lock that was given out can be taken again by another, and one
// that was not given out is not held.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <optional>

#include "os/lock/dir_lock.h"
#include "os/lock/user_flock.h"
#include "os/process/pid.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

constexpr Duration kLimit = std::chrono::milliseconds(2);

bool is_free(const Dir& dir) {
  auto other = DirLock::open(dir);
  return other && other->lock(Duration::zero()).value_or(false);
}

bool lock_twice(const Dir& dir, const std::function<void()>& inside) {
  auto lock = DirLock::open(dir);
  if (!lock) return false;
  for (int i = 0; i < 2; ++i) {
    const auto locked = lock->lock(kLimit);
    if (!locked || !*locked) return false;
    inside();
    lock->unlock();
  }
  return true;
}

TEST(DirLockSweep, WhateverCallFailsTheLockIsFreeInTheEnd) {
  const testing::TempDir tmp;
  process_mark();  // asked for once in the life of the process
  const std::size_t runs = testing::fault_sweep({
      .prepare = [] {},
      .body = [&] { return lock_twice(tmp.dir(), [] {}); },
      .check = [&](const testing::SweepCase&, bool) { EXPECT_TRUE(is_free(tmp.dir())); },
      .second_faults = true,
  });
  EXPECT_GT(runs, 20U);
}

// Looked at before the object ends, which would free it in any case.
TEST(DirLockSweep, AfterUnlockItIsFreeWhateverUnlockMet) {
  const testing::TempDir tmp;
  std::optional<DirLock> lock;
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { lock = DirLock::open(tmp.dir()).value(); },
      .body =
          [&] {
            const bool locked = lock->lock(kLimit).value_or(false);
            lock->unlock();
            return locked;
          },
      .check = [&](const testing::SweepCase&, bool) { EXPECT_TRUE(is_free(tmp.dir())); },
  });
  EXPECT_GE(runs, 6U);
}

TEST(DirLockSweep, DeathAtEveryPointLeavesItFree) {
  const testing::TempDir tmp;
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [] {},
      .body =
          [&] { EXPECT_TRUE(lock_twice(tmp.dir(), [&] { EXPECT_FALSE(is_free(tmp.dir())); })); },
      .recover = [&](std::size_t) { EXPECT_TRUE(is_free(tmp.dir())); },
  });
  EXPECT_GE(mutations, 4U);
}

// Whatever call fails on the way to a lock of the user's: "done" is said only where the lock is
// held, the file has no byte more, and SIGALRM is as it was.

// Asked past the call table, so that the question itself is not swept.
bool held(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool taken = fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return taken;
}

TEST(UserFlockSweep, WhateverCallFailsDoneMeansHeldAndNothingIsLeft) {
  const testing::TempDir temp;
  const std::string path = temp.path("f");
  const std::size_t runs = testing::fault_sweep({
      .prepare =
          [&] {
            std::filesystem::remove(path);
            ASSERT_NE(::signal(SIGALRM, SIG_DFL), SIG_ERR);
          },
      .body =
          [&] {
            const auto handle = open_user_lock(path, LockFileAccess::kRead);
            if (!handle) return false;
            const auto limit = WaitLimit::start(std::chrono::seconds(60));
            if (!limit) return false;
            const auto answer = flock_user_lock(handle->get(), FlockMode::kExclusive,
                                                {.limit = limit->get()}, path);
            const bool done = answer && *answer == FlockAnswer::kDone;
            EXPECT_EQ(held(path), done);
            return done;
          },
      .check =
          [&](const testing::SweepCase& fault, bool) {
            struct sigaction now{};
            ASSERT_EQ(::sigaction(SIGALRM, nullptr, &now), 0);
            // The call that would set it back cannot fail; injected, the handler stays.
            if (!fault.fails("sigaction")) {
              EXPECT_EQ(now.sa_handler, SIG_DFL);
            }
            EXPECT_FALSE(held(path));
            EXPECT_TRUE(!std::filesystem::exists(path) || std::filesystem::is_empty(path));
          },
  });
  EXPECT_GT(runs, 12U);
}

}  // namespace
}  // namespace holdfast::os
