// SPDX-License-Identifier: Apache-2.0
//
// What backend.h promises, within one process, on either platform. Between processes:
// lock_process_contract_test.cc.
#include <thread>

#include "lock/grant/by_token.h"
#include "lock/grant/lock_fixture.h"
#include "lock/ledger/status.h"
#include "os/process/pid.h"
#include "proc/identity/identity.h"
#include "testing/platform.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using os::operator""_name;

class LocalLockContract : public LockFixture {
 protected:
  std::string file_with(std::string_view text) {
    auto file = tmp_.dir().create_file("config.json"_name, 0600).value();
    EXPECT_TRUE(file->write_all(text));
    return tmp_.path("config.json");
  }
};

TEST_F(LocalLockContract, TwoSeatsNeverHoldOneLock) {
  const auto one = seat();
  const auto other = seat();
  EXPECT_EQ(kind_of(one->acquire({})), Kind::kGranted);
  const auto refused = other->acquire({});
  EXPECT_EQ(kind_of(refused), Kind::kBusy);
  EXPECT_EQ(refused->holder.pid, os::number(os::own_pid()));
  EXPECT_EQ(one->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(other->acquire({})), Kind::kGranted);
}

TEST_F(LocalLockContract, EveryGrantHasAHigherFence) {
  const auto lock = seat();
  std::uint64_t last = 0;
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
    ASSERT_GT(lock->grant()->fence, last);
    last = lock->grant()->fence;
    ASSERT_EQ(lock->release().value(), Owned::kYes);
  }
}

TEST_F(LocalLockContract, TheFenceGoesOnAfterTheLedgerIsLost) {
  std::uint64_t before = 0;
  {
    const auto lock = seat();
    ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
    before = lock->grant()->fence;
    ASSERT_TRUE(lock->release());
  }
  ASSERT_EQ(tmp_.dir().remove_file("deploy.lock"_name).value(), os::Removed::kRemoved);
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  EXPECT_GT(lock->grant()->fence, before);
}

TEST_F(LocalLockContract, AWaiterGetsItWhenItIsReleased) {
  const auto one = seat();
  ASSERT_EQ(kind_of(one->acquire({})), Kind::kGranted);
  std::jthread waiter([&] {
    const auto other = seat();
    EXPECT_EQ(kind_of(other->acquire({.wait = 60s})), Kind::kGranted);
    EXPECT_EQ(other->release().value(), Owned::kYes);
  });
  while (look_at_lock(place(), clock_).value().waiters.empty()) std::this_thread::yield();
  EXPECT_EQ(one->release().value(), Owned::kYes);
}

TEST_F(LocalLockContract, AWaitEndsInTime) {
  const auto one = seat();
  const auto other = seat();
  ASSERT_EQ(kind_of(one->acquire({})), Kind::kGranted);
  const auto outcome = other->acquire({.wait = 120ms});
  EXPECT_EQ(kind_of(outcome), Kind::kBusy);
  EXPECT_EQ(outcome->busy_reason, "timeout");
  EXPECT_GE(outcome->waited, 120ms);
}

TEST_F(LocalLockContract, AWaitCanBeCancelled) {
  const auto one = seat();
  ASSERT_EQ(kind_of(one->acquire({})), Kind::kGranted);
  os::Flag cancel;
  std::jthread waiter([&] {
    const auto other = seat();
    EXPECT_EQ(kind_of(other->acquire({.wait = 60s, .cancel = &cancel})), Kind::kCancelled);
  });
  while (look_at_lock(place(), clock_).value().waiters.empty()) std::this_thread::yield();
  cancel.raise();
}

TEST_F(LocalLockContract, ManyThreadsNeverOverlap) {
  int inside = 0;  // no atomic: the lock is what orders it
  int grants = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&] {
        const auto lock = seat();
        for (int round = 0; round < 8; ++round) {
          ASSERT_EQ(kind_of(lock->acquire({.wait = 60s})), Kind::kGranted);
          EXPECT_EQ(++inside, 1);
          ++grants;
          --inside;
          ASSERT_EQ(lock->release().value(), Owned::kYes);
        }
      });
    }
  }
  EXPECT_EQ(grants, 48);
}

TEST_F(LocalLockContract, ReadersHoldItTogetherAndKeepAWriterOut) {
  const auto one = seat();
  const auto other = seat();
  const auto writer = seat();
  EXPECT_EQ(kind_of(one->acquire({.mode = LockMode::kShared})), Kind::kGranted);
  EXPECT_EQ(kind_of(other->acquire({.mode = LockMode::kShared})), Kind::kGranted);
  EXPECT_EQ(kind_of(writer->acquire({})), Kind::kBusy);
  EXPECT_EQ(one->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(writer->acquire({})), Kind::kBusy);
  EXPECT_EQ(other->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(writer->acquire({})), Kind::kGranted);
}

TEST_F(LocalLockContract, TheTokenRenewsChecksAndReleasesAndNoOther) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({.ttl = 60s, .yields = LockYields::kTake})), Kind::kGranted);
  const Id128 token = holder->grant()->token;
  EXPECT_EQ(check_by_token(place(), token, clock_).value().answer, TokenAnswer::kDone);
  EXPECT_EQ(check_by_token(place(), Id128{}, clock_).value().answer, TokenAnswer::kNotHolder);
  EXPECT_EQ(
      renew_by_token(place(), token, Lock::Beat::kProgress, std::nullopt, clock_).value().answer,
      TokenAnswer::kDone);
  EXPECT_EQ(release_by_token(place(), token, clock_, &events_).value().answer, TokenAnswer::kDone);
  const auto next = seat();
  EXPECT_EQ(kind_of(next->acquire({})), Kind::kGranted);
  EXPECT_EQ(holder->check().value(), Owned::kLost);
  EXPECT_EQ(next->check().value(), Owned::kYes);
}

TEST_F(LocalLockContract, AnExpiredLeaseIsTakenAndItsHolderIsFencedOff) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({.ttl = 60ms, .yields = LockYields::kTake})), Kind::kGranted);
  const std::uint64_t fence = holder->grant()->fence;
  const auto taker = seat();
  const auto taken = taker->acquire({.wait = 60s, .on_expired = OnExpired::kTake});
  ASSERT_EQ(kind_of(taken), Kind::kGranted);
  EXPECT_EQ(taken->cause, LockCause::kExpired);
  EXPECT_GT(taker->grant()->fence, fence);
  EXPECT_EQ(holder->renew(Lock::Beat::kAlive).value(), Owned::kLost);
  EXPECT_EQ(holder->release().value(), Owned::kLost);
  EXPECT_EQ(taker->check().value(), Owned::kYes);
}

// Of an earlier boot of this machine nobody lives, whatever number it has: but only life says that
// it is over.
TEST_F(LocalLockContract, AnEarlierBootIsRecoveredWhereItsLifeIsFreeAndNowhereElse) {
  const auto own = proc::own_identity();
  ASSERT_TRUE(own);
  AcquireRequest request;
  request.work = ProcessIdentity{.boot = {{1}},
                                 .machine = own->machine,
                                 .pidns = own->pidns,
                                 .timens = own->timens,
                                 .pid = os::number(own->pid),
                                 .start = own->start};
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire(request)), Kind::kGranted);
  const std::uint64_t before = holder->grant()->fence;
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
  EXPECT_EQ(look_at_lock(place(), clock_)->state, Visible::kHeld);
  holder->leave();
  const auto next = seat();
  const auto outcome = next->acquire({});
  ASSERT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kRebooted);
  EXPECT_GT(next->grant()->fence, before);
}

TEST_F(LocalLockContract, ALeaseOfNoProcessRunsOut) {
  {
    const auto holder = seat();
    ASSERT_EQ(kind_of(holder->acquire(
                  {.binding = LockBinding::kTtl, .ttl = 2s, .yields = LockYields::kTake})),
              Kind::kGranted);
    holder->leave();
  }
  const auto next = seat();
  EXPECT_EQ(kind_of(next->acquire({})), Kind::kBusy);
  EXPECT_EQ(kind_of(next->acquire({.wait = 60s})), Kind::kGranted);
}

TEST_F(LocalLockContract, BreakFreesAHeldLock) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  const auto status = look_at_lock(place(), clock_).value();
  EXPECT_EQ(status.state, Visible::kHeld);
  ASSERT_TRUE(status.break_id);
  EXPECT_EQ(break_lock(place(), backend_.fences(), "0123456789abcdef", "test", clock_, &events_)
                .value()
                .answer,
            TokenAnswer::kNotHolder);
  EXPECT_EQ(break_lock(place(), backend_.fences(), *status.break_id, "test", clock_, &events_)
                .value()
                .answer,
            TokenAnswer::kDone);
  const auto next = seat();
  EXPECT_EQ(kind_of(next->acquire({})), Kind::kGranted);
}

TEST_F(LocalLockContract, ALockOfAFileIsBesideItAndLeavesItAlone) {
  const std::string path = file_with("{}");
  const auto one = seat_of_file(path);
  const auto other = seat_of_file(path);
  ASSERT_EQ(kind_of(one->acquire({})), Kind::kGranted);
  EXPECT_EQ(kind_of(other->acquire({})), Kind::kBusy);
  EXPECT_TRUE(tmp_.dir().info(".config.json.lock"_name).value());
  EXPECT_TRUE(tmp_.dir().info(".config.json.hold"_name).value());
  EXPECT_EQ(one->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(other->acquire({})), Kind::kGranted);
  EXPECT_EQ(tmp_.dir().info(".config.json.lock"_name).value()->size, 0U);
}

TEST_F(LocalLockContract, WhoLocksTheSidecarAloneKeepsUsOut) {
  const std::string path = file_with("{}");
  {
    const auto lock = seat_of_file(path);  // makes it
    ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  }
  const auto sidecar = tmp_.dir().open_file(".config.json.lock"_name, os::Access::kReadWrite);
  ASSERT_TRUE(sidecar && *sidecar);
  ASSERT_TRUE(os::try_flock(**sidecar, os::Share::kExclusive).value());
  const auto lock = seat_of_file(path);
  const auto refused = lock->acquire({});
  EXPECT_EQ(kind_of(refused), Kind::kBusy);
  EXPECT_TRUE(refused->holder.foreign);
  ASSERT_TRUE(os::unlock_flock(**sidecar));
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  EXPECT_FALSE(os::try_flock(**sidecar, os::Share::kExclusive).value());
}

TEST_F(LocalLockContract, APlantedLinkAtTheLedgerIsRefusedAndItsTargetStays) {
  ASSERT_TRUE(tmp_.dir().create_file("precious"_name, 0600).value()->write_all("precious"));
  if (!testing::make_file_link(tmp_.path("precious"), tmp_.path("deploy.lock"))) {
    GTEST_SKIP() << "no links here";
  }
  const auto lock = seat();
  const auto outcome = lock->acquire({});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kRefused) << to_sentence(outcome.error());
  auto target = tmp_.dir().open_file("precious"_name, os::Access::kRead).value();
  EXPECT_EQ(target->read_all(100).value(), "precious");
}

TEST_F(LocalLockContract, APlantedDirectoryLinkIsRefusedAtEachOfTheTwoPaths) {
  const std::string path = file_with("{}");
  ASSERT_TRUE(tmp_.dir().make_dir("elsewhere"_name, 0700));
  for (const char* name : {".config.json.lock", ".config.json.hold"}) {
    const auto safe = os::SafeName::make(name).value();
    if (!testing::make_dir_link(tmp_.path("elsewhere"), tmp_.path(name))) {
      GTEST_SKIP() << "no links here";
    }
    const auto lock = seat_of_file(path);
    const auto outcome = lock->acquire({});
    ASSERT_FALSE(outcome) << name;
    EXPECT_EQ(outcome.error().code, ErrorCode::kRefused) << to_sentence(outcome.error());
    const auto elsewhere = tmp_.dir().open_dir("elsewhere"_name);
    EXPECT_TRUE(elsewhere.value().each_entry([&](std::string_view entry, os::FileType) {
      ADD_FAILURE() << entry << " was made behind the link";
      return os::Visit::kContinue;
    }));
    tmp_.clear();
    static_cast<void>(file_with("{}"));
    ASSERT_TRUE(tmp_.dir().make_dir("elsewhere"_name, 0700));
  }
}

}  // namespace
}  // namespace holdfast::lock
