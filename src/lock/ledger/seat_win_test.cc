// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/seat.h"

#include "lock/grant/lock_fixture.h"
#include "os/lock/deny_file.h"
#include "proc/identity/identity.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using os::operator""_name;

class SeatWin : public LockFixture {};

TEST_F(SeatWin, WhatWindowsCannotDoIsRefusedByName) {
  const auto lock = seat();
  for (const AcquireRequest& request :
       {AcquireRequest{.on_expired = OnExpired::kReplace}, AcquireRequest{.presume_dead = 1s}}) {
    const auto outcome = lock->acquire(request);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().cause, "unsupported");
  }
  EXPECT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
}

TEST_F(SeatWin, TheFileOfLifeIsThereWhileItIsHeldForAChildAndIsNoLock) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({.binding = LockBinding::kExec})), Kind::kGranted);
  EXPECT_NE(lock->life(), os::HandleTraits::nothing());
  EXPECT_TRUE(tmp_.dir().info("deploy.lock.life-0"_name).value_or(os::FileInfo{}));
  EXPECT_TRUE(is_life_file("deploy.lock.life-0"));
  EXPECT_FALSE(is_life_file("deploy.lock.life-0.lock"));
  EXPECT_FALSE(is_life_file("deploy.lock"));
  ASSERT_EQ(lock->release().value(), Owned::kYes);
  EXPECT_FALSE(tmp_.dir().info("deploy.lock.life-0"_name).value());
}

// The byte went with the holder; the file is denied by a child of it, so its work goes on, whatever
// boot the record names.
TEST_F(SeatWin, AnEarlierBootIsNotRecoveredWhileItsFileOfLifeIsDenied) {
  const auto own = proc::own_identity();
  ASSERT_TRUE(own);
  AcquireRequest request{.binding = LockBinding::kExec};
  request.work = ProcessIdentity{.boot = {{1}},
                                 .machine = own->machine,
                                 .pidns = own->pidns,
                                 .timens = own->timens,
                                 .pid = os::number(own->pid),
                                 .start = own->start};
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire(request)), Kind::kGranted);
  holder->leave();
  {
    const auto child =
        os::open_denying(tmp_.dir(), "deploy.lock.life-0"_name, os::Share::kExclusive);
    ASSERT_TRUE(child && *child);
    EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
  }
  const auto outcome = seat()->acquire({});
  ASSERT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kRebooted);
}

TEST_F(SeatWin, AnOpenLedgerCanNeitherBeRemovedNorReplaced) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  EXPECT_FALSE(tmp_.dir().remove_file("deploy.lock"_name));
  ASSERT_TRUE(tmp_.dir().create_file("other"_name, 0600).value());
  EXPECT_FALSE(tmp_.dir().rename_over("other"_name, "deploy.lock"_name));
  EXPECT_EQ(lock->check().value(), Owned::kYes);
}

}  // namespace
}  // namespace holdfast::lock
