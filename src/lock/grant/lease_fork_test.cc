// SPDX-License-Identifier: Apache-2.0
//
// Leases of other processes, which are killed and stopped.
#include "lock/grant/fork_fixture.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class LeaseForkTest : public LockFixture {};

TEST_F(LeaseForkTest, AKilledHolderIsReplacedAtOnceHoweverLongItsLease) {
  Signpost held;
  const pid_t holder = child([&] {
    const auto lock = seat();
    if (kind_of(lock->acquire({.ttl = 1h, .yields = LockYields::kWait})) == Kind::kGranted)
      held.put();
    ::pause();
  });
  held.await();
  kill_and_reap(holder);
  const auto outcome = seat()->acquire({});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kDead);
}

TEST_F(LeaseForkTest, AHolderStoppedPastItsLeaseIsFencedOff) {
  Signpost held;
  Signpost go_on;
  const pid_t holder = child([&] {
    const auto lock = seat();
    if (kind_of(lock->acquire({.ttl = 50ms, .yields = LockYields::kTake})) != Kind::kGranted)
      ::_exit(1);
    held.put();
    go_on.await();
    const bool lost = lock->check().value_or(Owned::kYes) == Owned::kLost &&
                      lock->release().value_or(Owned::kYes) == Owned::kLost;
    ::_exit(lost ? 0 : 2);
  });
  held.await();
  ::kill(holder, SIGSTOP);
  const auto taker = seat();
  EXPECT_EQ(kind_of(taker->acquire({.wait = 30s, .on_expired = OnExpired::kTake})), Kind::kGranted);
  ::kill(holder, SIGCONT);
  go_on.put();
  EXPECT_EQ(wait_for(holder), 0);
  EXPECT_EQ(taker->check().value(), Owned::kYes);
}

}  // namespace
}  // namespace holdfast::lock
