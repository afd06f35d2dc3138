// SPDX-License-Identifier: Apache-2.0
//
// Whatever call fails on the way to a lock of the user's: "done" is said only where the lock is
// held, the file has no byte more, and SIGALRM is as it was.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "os/lock/user_flock.h"
#include "testing/fault_sweep.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

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
