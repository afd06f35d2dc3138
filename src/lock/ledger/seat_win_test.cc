// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/seat.h"

#include <fstream>

#include "lock/grant/lock_fixture.h"
#include "os/lock/deny_file.h"
#include "proc/identity/identity.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using os::operator""_name;

class SeatWin : public LockFixture {};

// Nobody is ever named, so nobody is presumed dead; the answer says why.
TEST_F(SeatWin, AForeignHolderIsNotPresumedDeadAndTheAnswerSaysWhy) {
  EXPECT_EQ(kind_of(seat()->acquire({.presume_dead = 1s})), Kind::kGranted);
  std::ofstream(tmp_.path("config")) << "x";
  auto foreign = tmp_.dir().create_file(".config.lock"_name, 0600);
  ASSERT_TRUE(foreign && *foreign);
  ASSERT_TRUE(os::try_flock(**foreign, os::Share::kExclusive).value());
  const auto lock = seat_of_file(tmp_.path("config"));
  const auto outcome = lock->acquire({.wait = 100ms, .presume_dead = 1ms});
  EXPECT_EQ(kind_of(outcome), Kind::kBusy);
  EXPECT_NE(outcome->detail.find("does not tell who"), std::string::npos) << outcome->detail;
}

TEST_F(SeatWin, AHeldSidecarIsReplacedAndItsHolderFencedOff) {
  for (const LockBinding binding : {LockBinding::kLib, LockBinding::kExec}) {
    std::ofstream(tmp_.path("config")) << "x";
    const auto old = seat_of_file(tmp_.path("config"));
    const AcquireRequest held{.binding = binding, .ttl = 1ms, .yields = LockYields::kTake};
    ASSERT_EQ(kind_of(old->acquire(held)), Kind::kGranted);
    const auto taker = seat_of_file(tmp_.path("config"));
    const auto refused = taker->acquire({.wait = 5s, .on_expired = OnExpired::kTake});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    const auto outcome = taker->acquire(
        {.binding = LockBinding::kExec, .wait = 5s, .on_expired = OnExpired::kReplace});
    ASSERT_EQ(kind_of(outcome), Kind::kGranted);
    EXPECT_EQ(outcome->cause, LockCause::kReplaced);
    EXPECT_EQ(old->check().value(), Owned::kLost);
    EXPECT_EQ(old->release().value(), Owned::kLost);
    EXPECT_EQ(taker->check().value(), Owned::kYes);
    EXPECT_EQ(kind_of(seat_of_file(tmp_.path("config"))->acquire({})), Kind::kBusy);
    EXPECT_EQ(taker->release().value(), Owned::kYes);
    const auto next = seat_of_file(tmp_.path("config"));
    EXPECT_EQ(kind_of(next->acquire({.binding = LockBinding::kExec})), Kind::kGranted);
    EXPECT_EQ(next->release().value(), Owned::kYes);
  }
}

// Somebody who waited, and holds through what he waited with, does not keep the name either.
TEST_F(SeatWin, AHolderThatWaitedForTheSidecarCanBeReplaced) {
  std::ofstream(tmp_.path("config")) << "x";
  const auto first = seat_of_file(tmp_.path("config"));
  ASSERT_EQ(kind_of(first->acquire({.ttl = 1ms, .yields = LockYields::kTake})), Kind::kGranted);
  const auto waited = seat_of_file(tmp_.path("config"));
  EXPECT_EQ(kind_of(waited->acquire({.wait = 50ms})), Kind::kBusy);
  const auto taker = seat_of_file(tmp_.path("config"));
  const auto outcome = taker->acquire({.wait = 5s, .on_expired = OnExpired::kReplace});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
}

// As programs of the C library and of Python open it.
TEST_F(SeatWin, ASidecarThatSomebodyKeepsOpenWithoutSharingIsNotReplacedAndTheAnswerSaysSo) {
  std::ofstream(tmp_.path("config")) << "x";
  const auto old = seat_of_file(tmp_.path("config"));
  ASSERT_EQ(kind_of(old->acquire({.ttl = 1ms, .yields = LockYields::kTake})), Kind::kGranted);
  {
    std::ifstream keeper(tmp_.path(".config.lock"));
    ASSERT_TRUE(keeper.is_open());
    const auto outcome = seat_of_file(tmp_.path("config"))
                             ->acquire({.wait = 50ms, .on_expired = OnExpired::kReplace});
    EXPECT_EQ(kind_of(outcome), Kind::kBusy);
    EXPECT_NE(outcome->detail.find("cannot be replaced"), std::string::npos) << outcome->detail;
    EXPECT_EQ(events_.data_of("lock.taken"), "(none)");
    EXPECT_EQ(old->check().value(), Owned::kYes);
  }
  const auto outcome =
      seat_of_file(tmp_.path("config"))->acquire({.wait = 5s, .on_expired = OnExpired::kReplace});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
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
