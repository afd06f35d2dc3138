// SPDX-License-Identifier: Apache-2.0
//
// Every call of acquire, renew, take-over and release fails once and for good, and the process dies
// before each of its mutations. Whatever happens: never two holders, the fence never goes back, and
// the lock can be had again.
#include "lock/grant/by_token.h"
#include "lock/grant/fork_fixture.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using testing::crash_sweep;
using testing::fault_sweep;
using testing::SweepCase;

class LockSweep : public LockFixture {
 protected:
  void SetUp() override {
    // What is read once per process is not what is swept here.
    const auto lock = seat();
    ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
    ASSERT_TRUE(lock->release());
  }

  // A fence that was really given out, kept by the caller of a sweep.
  std::uint64_t highest_ = 0;

  // The lock can be had, exclusively, with a higher fence.
  void expect_usable(const std::string& when) {
    const auto one = seat();
    const auto outcome = one->acquire({.wait = 2s, .on_expired = OnExpired::kTake});
    ASSERT_TRUE(outcome) << when << ": " << to_sentence(outcome.error());
    ASSERT_EQ(outcome->kind, Kind::kGranted) << when;
    EXPECT_GT(one->grant()->fence, highest_) << when;
    const auto other = seat()->acquire({});
    ASSERT_TRUE(other) << when;
    EXPECT_EQ(other->kind, Kind::kBusy) << when;
    ASSERT_EQ(one->release().value(), Owned::kYes) << when;
  }
};

TEST_F(LockSweep, FaultsInAcquireAndReleaseNeverMakeTwoHolders) {
  const std::size_t cases = fault_sweep(
      {.prepare =
           [&] {
             tmp_.clear();
             highest_ = 0;
           },
       .body =
           [&] {
             const auto lock = try_seat();
             if (!lock) return false;
             const auto outcome = lock->acquire({});
             if (!outcome || outcome->kind != Kind::kGranted) return false;
             highest_ = lock->grant()->fence;
             const auto released = lock->release();
             return released && *released == Owned::kYes;
           },
       .check =
           [&](const SweepCase& c, bool) {
             // A record that names this live process, because the release could not be written, is
             // broken by its id; anything else is usable at once.
             const auto ledger = Ledger::open(place());
             if (ledger && *ledger && (*ledger)->read() &&
                 (*ledger)->read()->record.state == LockState::kHeld) {
               const auto id = break_id_of(**ledger);
               ASSERT_TRUE(id && *id) << c.description;
               const FenceHome fences(tmp_.dir());
               ASSERT_EQ(break_lock(place(), fences, **id, "sweep", clock_, &events_)->answer,
                         TokenAnswer::kDone);
             }
             expect_usable(c.description);
           }});
  EXPECT_GT(cases, 100U);
}

TEST_F(LockSweep, FaultsInRenewLeaveTheLeaseWithItsHolder) {
  std::unique_ptr<Lock> lock;
  const std::size_t cases =
      fault_sweep({.prepare =
                       [&] {
                         lock.reset();
                         tmp_.clear();
                         lock = seat();
                         ASSERT_EQ(kind_of(lock->acquire({.ttl = 1h})), Kind::kGranted);
                       },
                   .body =
                       [&] {
                         const auto owned = lock->renew(Lock::Beat::kProgress);
                         // A failing system call is an error, never "lost".
                         EXPECT_TRUE(!owned || *owned == Owned::kYes);
                         return owned.has_value();
                       },
                   .check =
                       [&](const SweepCase& c, bool) {
                         EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy) << c.description;
                         EXPECT_EQ(lock->check().value(), Owned::kYes) << c.description;
                       }});
  EXPECT_GT(cases, 10U);
}

TEST_F(LockSweep, FaultsInATakeOverLeaveOneHolder) {
  std::unique_ptr<Lock> old;
  Id128 taken_with;
  const std::size_t cases =
      fault_sweep({.prepare =
                       [&] {
                         old.reset();
                         tmp_.clear();
                         old = seat();
                         ASSERT_EQ(kind_of(old->acquire({.ttl = 1ns, .yields = LockYields::kTake})),
                                   Kind::kGranted);
                       },
                   .body =
                       [&] {
                         const auto taker = try_seat();
                         if (!taker) return false;
                         const auto outcome = taker->acquire({.on_expired = OnExpired::kTake});
                         if (!outcome || outcome->kind != Kind::kGranted) return false;
                         taken_with = taker->grant()->token;
                         taker->leave();  // as it is, for the check
                         return true;
                       },
                   .check =
                       [&](const SweepCase& c, bool taken) {
                         const LockRecord now = record();
                         ASSERT_EQ(now.state, LockState::kHeld) << c.description;
                         EXPECT_EQ(now.token == taken_with, taken) << c.description;
                         const bool old_holds = old->check().value() == Owned::kYes;
                         EXPECT_EQ(old_holds, now.token == old->grant()->token) << c.description;
                         EXPECT_FALSE(taken && old_holds) << c.description;
                       }});
  EXPECT_GT(cases, 30U);
}

TEST_F(LockSweep, DeathAnywhereInAcquireAndReleaseBlocksNobody) {
  const std::size_t mutations =
      crash_sweep({.prepare = [&] { tmp_.clear(); },
                   .body =
                       [&] {
                         const auto lock = seat();
                         EXPECT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
                         EXPECT_EQ(lock->release().value(), Owned::kYes);
                       },
                   .recover =
                       [&](std::size_t died_before) {
                         expect_usable("died before mutation " + std::to_string(died_before));
                       }});
  EXPECT_GE(mutations, 8U);
}

TEST_F(LockSweep, DeathAnywhereInATakeOverLeavesALockThatCanBeHad) {
  std::unique_ptr<Lock> old;
  const std::size_t mutations = crash_sweep(
      {.prepare =
           [&] {
             old.reset();
             tmp_.clear();
             old = seat();
             ASSERT_EQ(kind_of(old->acquire({.ttl = 1ns, .yields = LockYields::kTake})),
                       Kind::kGranted);
             highest_ = old->grant()->fence;
           },
       .body =
           [&] {
             const auto taker = seat();
             EXPECT_EQ(kind_of(taker->acquire({.on_expired = OnExpired::kTake})), Kind::kGranted);
             EXPECT_EQ(taker->release().value(), Owned::kYes);
           },
       .recover =
           [&](std::size_t died_before) {
             expect_usable("died before mutation " + std::to_string(died_before));
           }});
  EXPECT_GE(mutations, 4U);
}

TEST_F(LockSweep, FaultsInASharedHoldNeverLetAWriterIn) {
  Id128 token;
  const std::size_t cases =
      fault_sweep({.prepare = [&] { tmp_.clear(); },
                   .body =
                       [&] {
                         const auto reader = try_seat();
                         if (!reader) return false;
                         const auto outcome = reader->acquire({.mode = LockMode::kShared});
                         if (!outcome || outcome->kind != Kind::kGranted) return false;
                         token = reader->grant()->token;
                         reader->leave();
                         return true;
                       },
                   .check =
                       [&](const SweepCase& c, bool granted) {
                         // The reader's work is this process, which lives.
                         const auto writer = seat();
                         const Kind first = kind_of(writer->acquire({}));
                         if (!granted) return;  // its own rights are swept elsewhere
                         EXPECT_EQ(first, Kind::kBusy) << c.description;
                         EXPECT_EQ(release_by_token(place(), token, clock_, &events_)->answer,
                                   TokenAnswer::kDone);
                         EXPECT_EQ(kind_of(writer->acquire({.wait = 1s})), Kind::kGranted)
                             << c.description;
                       }});
  EXPECT_GT(cases, 100U);
}

}  // namespace
}  // namespace holdfast::lock
