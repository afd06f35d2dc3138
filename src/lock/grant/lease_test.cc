// SPDX-License-Identifier: Apache-2.0
//
// Leases and clocks: what ends a lease, and what must not.
#include "lock/grant/by_token.h"
#include "lock/grant/identity.h"
#include "lock/grant/lock_fixture.h"
#include "lock/ledger/status.h"
#include "testing/manual_clock.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class LeaseTest : public LockFixture {
 protected:
  [[nodiscard]] std::unique_ptr<Lock> timed_seat() {
    auto lock = timed_.open({.kind = LockId::Kind::kNamed, .text = "deploy"});
    EXPECT_TRUE(lock);
    return std::move(*lock);
  }
  Kind take_now() { return kind_of(timed_seat()->acquire({.on_expired = OnExpired::kTake})); }

  testing::ManualClock manual_;
  LocalBackend timed_{tmp_.dir(), manual_, &events_};
};

TEST_F(LeaseTest, AStepOfTheWallClockEndsNoLease) {
  const auto holder = timed_seat();
  ASSERT_EQ(kind_of(holder->acquire({.ttl = 10s, .yields = LockYields::kTake})), Kind::kGranted);
  manual_.step_wall(24h);
  EXPECT_EQ(take_now(), Kind::kBusy);
  manual_.step_wall(-48h);
  EXPECT_EQ(take_now(), Kind::kBusy);
  EXPECT_EQ(holder->check().value(), Owned::kYes);
}

TEST_F(LeaseTest, TimeAsleepCounts) {
  const auto holder = timed_seat();
  ASSERT_EQ(kind_of(holder->acquire({.ttl = 10s, .yields = LockYields::kTake})), Kind::kGranted);
  manual_.suspend(11s);
  EXPECT_EQ(take_now(), Kind::kGranted);
  EXPECT_EQ(holder->check().value(), Owned::kLost);
}

TEST_F(LeaseTest, ARenewalInTimeKeepsIt) {
  const auto holder = timed_seat();
  ASSERT_EQ(kind_of(holder->acquire({.ttl = 10s, .yields = LockYields::kTake})), Kind::kGranted);
  for (int i = 0; i < 5; ++i) {
    manual_.advance(9s);
    EXPECT_EQ(take_now(), Kind::kBusy);
    ASSERT_EQ(holder->renew(Lock::Beat::kAlive).value(), Owned::kYes);
  }
}

TEST_F(LeaseTest, TheTtlThatCountsIsTheHoldersOwn) {
  const auto holder = timed_seat();
  ASSERT_EQ(kind_of(holder->acquire({.ttl = 1h, .yields = LockYields::kTake})), Kind::kGranted);
  manual_.advance(10min);
  // A contender that would itself ask for a shorter one judges by the record.
  EXPECT_EQ(kind_of(timed_seat()->acquire(
                {.ttl = 1s, .yields = LockYields::kTake, .on_expired = OnExpired::kTake})),
            Kind::kBusy);
}

TEST_F(LeaseTest, BeatsOfLifeAndOfProgressAreTwoThings) {
  const auto holder = timed_seat();
  ASSERT_EQ(kind_of(holder->acquire({.ttl = 10s})), Kind::kGranted);
  manual_.advance(3s);
  ASSERT_TRUE(holder->renew(Lock::Beat::kProgress));
  manual_.advance(4s);
  ASSERT_TRUE(holder->renew(Lock::Beat::kAlive));
  manual_.advance(1s);
  const auto status = look_at_lock(place(), manual_);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->since_beat, 1s);
  EXPECT_EQ(status->since_progress, 5s);
}

// In another time namespace the same boot has another boot clock: its deadline is no number here.
TEST_F(LeaseTest, ADeadlineOfAnotherTimeNamespaceIsNotReadButWatched) {
  const auto own = proc::own_identity();
  ASSERT_TRUE(own);
  AcquireRequest request{.ttl = 300ms, .yields = LockYields::kTake};
  request.work = to_record(*own);
  request.work->timens += 1;
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire(request)), Kind::kGranted);
  const auto begun = clock_.mono();
  const auto taker = seat();
  const auto outcome = taker->acquire({.wait = 30s, .on_expired = OnExpired::kTake});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_GE(clock_.mono() - begun, 300ms);  // a whole ttl of silence, on our own clock
  EXPECT_EQ(holder->check().value(), Owned::kLost);
}

}  // namespace
}  // namespace holdfast::lock
