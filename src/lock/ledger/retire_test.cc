// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/retire.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <new>

#include "lock/grant/fork_fixture.h"
#include "lock/ledger/layout.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class RetireTest : public LockFixture {
 protected:
  bool retire(Duration idle = 0s) {
    const auto retired = retire_if_idle(place(), backend_.fences(), idle, clock_);
    EXPECT_TRUE(retired) << (retired ? "" : to_sentence(retired.error()));
    return retired && *retired;
  }
  [[nodiscard]] bool has_ledger() { return std::filesystem::exists(tmp_.path("deploy.lock")); }
  std::uint64_t use() {
    const auto lock = seat();
    EXPECT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
    const std::uint64_t fence = lock->grant()->fence;
    EXPECT_EQ(lock->release().value(), Owned::kYes);
    return fence;
  }
};

TEST_F(RetireTest, AnIdleLedgerGoesAndTheFenceGoesOnAboveIt) {
  std::uint64_t last = 0;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t fence = use();
    EXPECT_GT(fence, last);
    last = fence;
    EXPECT_TRUE(retire());
    EXPECT_FALSE(has_ledger());
    EXPECT_GE(backend_.fences().mark().value(), fence);
  }
  EXPECT_FALSE(retire()) << "there is none";
}

// The mark of the home is what the next ledger begins above, so it must not be lower than the old.
TEST_F(RetireTest, TheMarkOfTheHomeIsRaisedFirst) {
  const std::uint64_t fence = use();
  std::filesystem::remove(tmp_.path(".fence"));
  EXPECT_TRUE(retire());
  EXPECT_GE(backend_.fences().mark().value(), fence);
}

TEST_F(RetireTest, WhatIsHeldOrRecentOrInUseStays) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  EXPECT_FALSE(retire());
  ASSERT_EQ(lock->release().value(), Owned::kYes);
  EXPECT_FALSE(retire(1h));
  {
    // Somebody has life, on its way to GUARD.
    const auto ledger = Ledger::open(place());
    ASSERT_TRUE(os::try_lock_byte((*ledger)->file(), life_byte(0), os::Share::kExclusive).value());
    EXPECT_FALSE(retire());
  }
  EXPECT_TRUE(has_ledger());
  EXPECT_TRUE(retire());
}

TEST_F(RetireTest, ASeatThatHasTheOldLedgerOpenGoesOnWithTheNewOne) {
  const auto old = seat();
  ASSERT_EQ(kind_of(old->acquire({})), Kind::kGranted);
  ASSERT_EQ(old->release().value(), Owned::kYes);
  ASSERT_TRUE(retire());
  const auto other = seat();
  ASSERT_EQ(kind_of(other->acquire({})), Kind::kGranted);
  EXPECT_EQ(kind_of(old->acquire({})), Kind::kBusy);
  ASSERT_EQ(other->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(old->acquire({})), Kind::kGranted);
}

// Two processes acquire and release all the time, a third retires whatever is free.
TEST_F(RetireTest, NoTwoHoldersAndNoFenceTwiceBesideIt) {
  use();
  const std::string inside = tmp_.path("inside");
  const auto worker = [&] {
    std::uint64_t last = 0;
    for (int i = 0; i < 1000; ++i) {
      const auto lock = seat();
      if (kind_of(lock->acquire({.wait = 20s})) != Kind::kGranted) ::_exit(60);
      if (lock->grant()->fence <= last) ::_exit(61);
      last = lock->grant()->fence;
      if (::mkdir(inside.c_str(), 0700) != 0) ::_exit(62);  // somebody else is inside
      ::rmdir(inside.c_str());
      if (lock->release().value() != Owned::kYes) ::_exit(63);
    }
  };
  const pid_t first = child(worker);
  const pid_t second = child(worker);
  std::uint64_t retired = 0;
  int ended = 0;
  for (int left = 2; left > 0;) {
    if (retire()) ++retired;
    int status = 0;
    if (::waitpid(-1, &status, WNOHANG) <= 0) continue;
    --left;
    if (status != 0) ended = WEXITSTATUS(status);
  }
  EXPECT_EQ(ended, 0);
  EXPECT_GT(retired, 0U);
  (void)first, (void)second;
}

// A caller that does not wait is not kept out by it: a free lock is granted. It gives up only if the
// ledger is retired again and again under its hands, which nothing but this test does.
TEST_F(RetireTest, WhoDoesNotWaitIsNotKeptOut) {
  constexpr std::uint64_t kAgainAndAgain = 8;
  void* page = ::mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto& retired = *new (page) std::atomic<std::uint64_t>(0);
  const auto try_to_acquire = [&](Lock& lock) {
    for (;;) {
      const std::uint64_t before = retired;
      auto outcome = lock.acquire({});
      const bool granted = outcome && outcome->kind == Kind::kGranted;
      if (granted || retired - before < kAgainAndAgain) return outcome;
    }
  };
  // On a busy machine a worker may be through before it was looked at once.
  for (int round = 0; round < 100 && retired == 0; ++round) {
    const pid_t worker = child([&] {
      for (int i = 0; i < 500; ++i) {
        const auto lock = seat();
        const auto outcome = try_to_acquire(*lock);
        if (!outcome) ::_exit(61);
        if (outcome->kind != Kind::kGranted) ::_exit(60);
        if (lock->release().value() != Owned::kYes) ::_exit(63);
      }
    });
    int status = 0;
    while (::waitpid(worker, &status, WNOHANG) == 0) {
      if (retire()) ++retired;
    }
    ASSERT_EQ(status, 0);
  }
  EXPECT_GT(retired, 0U);
  ::munmap(page, sizeof(std::atomic<std::uint64_t>));
}

}  // namespace
}  // namespace holdfast::lock
