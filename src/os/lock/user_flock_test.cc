// SPDX-License-Identifier: Apache-2.0
#include "os/lock/user_flock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

Handle open_it(const std::string& path) {
  return open_user_lock(path, LockFileAccess::kRead).value();
}

FlockAnswer lock(const Handle& handle, FlockMode mode, const FlockWait& wait) {
  return flock_user_lock(handle.get(), mode, wait, "it").value();
}

TEST(UserFlock, TwoDescriptorsOfOneFileExcludeEachOtherUntilOneUnlocks) {
  const testing::TempDir temp;
  const FlockWait now{.no_wait = true};
  const Handle first = open_it(temp.path("f"));
  const Handle second = open_it(temp.path("f"));
  EXPECT_EQ(lock(first, FlockMode::kExclusive, now), FlockAnswer::kDone);
  EXPECT_EQ(lock(second, FlockMode::kShared, now), FlockAnswer::kHeldByAnother);
  EXPECT_EQ(lock(first, FlockMode::kUnlock, now), FlockAnswer::kDone);
  EXPECT_EQ(lock(second, FlockMode::kShared, now), FlockAnswer::kDone);
  EXPECT_EQ(lock(first, FlockMode::kShared, now), FlockAnswer::kDone);
  EXPECT_TRUE(std::filesystem::is_empty(temp.path("f")));
}

TEST(UserFlock, ADirectoryIsLockedAsItIsAndNotOpenedForWriting) {
  const testing::TempDir temp;
  const Handle handle = open_it(temp.path());
  EXPECT_EQ(lock(handle, FlockMode::kExclusive, {}), FlockAnswer::kDone);
  const auto write = open_user_lock(temp.path(), LockFileAccess::kReadWrite);
  ASSERT_FALSE(write);
  EXPECT_EQ(write.error().cause, "eisdir");
}

TEST(UserFlock, TheDescriptorIsInheritedAndNeverAStandardStream) {
  const testing::TempDir temp;
  const int kept = ::dup(STDIN_FILENO);
  ::close(STDIN_FILENO);
  const Handle handle = open_it(temp.path("f"));
  const bool still_closed = ::fcntl(STDIN_FILENO, F_GETFD) == -1;
  ASSERT_EQ(::dup2(kept, STDIN_FILENO), STDIN_FILENO);
  ::close(kept);
  EXPECT_TRUE(still_closed);
  EXPECT_GT(handle.get(), STDERR_FILENO);
  EXPECT_EQ(::fcntl(static_cast<int>(handle.get()), F_GETFD), 0);
}

// Enters flock only when the timer has fired already and its first signal is spent.
class LateToTheCall final : public testing::CallHook {
 public:
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name != "flock") return {};
    ::pause();  // the first signal comes here, not in the call
    ++late;
    return {};
  }
  int late = 0;
};

TEST(UserFlock, ASignalThatComesJustBeforeTheCallIsNotLost) {
  const testing::TempDir temp;
  const Handle holder = open_it(temp.path("f"));
  const Handle waiter = open_it(temp.path("f"));
  ASSERT_EQ(lock(holder, FlockMode::kExclusive, {}), FlockAnswer::kDone);
  const auto limit = WaitLimit::start(milliseconds(20)).value();
  LateToTheCall hook;
  const testing::ScopedCallHook hooked(hook);
  const auto answer =
      flock_user_lock(waiter.get(), FlockMode::kExclusive, {.limit = limit.get()}, "it");
  EXPECT_EQ(hook.late, 1);
  EXPECT_EQ(answer.value(), FlockAnswer::kTimeIsUp);
}

TEST(UserFlock, WhatIsNoDescriptorIsAnErrorAndNamed) {
  const auto answer = flock_user_lock(987654, FlockMode::kExclusive, {}, "987654");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().cause, "ebadf");
  EXPECT_EQ(answer.error().subject, "987654");
}

using std::chrono::milliseconds;

TEST(WaitLimit, ANegativeLimitIsRefused) {
  const auto limit = WaitLimit::start(milliseconds(-1));
  ASSERT_FALSE(limit);
  EXPECT_EQ(limit.error().cause, "einval");
}

TEST(WaitLimit, TheTimeIsUpByTheClockAndNotByASignal) {
  const auto later = WaitLimit::start(Duration::max());
  ASSERT_TRUE(later);
  ::raise(SIGALRM);
  EXPECT_FALSE((*later)->passed());
}

TEST(WaitLimit, ASignalThatWasBlockedInterruptsAndIsBlockedAgain) {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigset_t before;
  ASSERT_EQ(::sigprocmask(SIG_BLOCK, &alarm, &before), 0);
  {
    const auto limit = WaitLimit::start(milliseconds(1));
    ASSERT_TRUE(limit);
    while (!(*limit)->passed()) ::pause();
  }
  sigset_t after;
  ASSERT_EQ(::sigprocmask(SIG_SETMASK, &before, &after), 0);
  EXPECT_EQ(sigismember(&after, SIGALRM), 1);
}

TEST(WaitLimit, AfterItsEndSignalsAreAsBeforeAndNoneIsOnItsWay) {
  struct sigaction before{};
  struct sigaction ignored{};
  ignored.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGALRM, &ignored, &before), 0);
  {
    const auto limit = WaitLimit::start(Duration::zero());
    ASSERT_TRUE(limit);
    EXPECT_TRUE((*limit)->passed());
  }
  struct sigaction after{};
  ASSERT_EQ(::sigaction(SIGALRM, &before, &after), 0);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
  sigset_t pending;
  ASSERT_EQ(::sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, SIGALRM), 0);
}

}  // namespace
}  // namespace holdfast::os
