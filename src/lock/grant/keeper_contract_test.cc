// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/keeper.h"

#include "lock/grant/by_token.h"
#include "lock/grant/lock_fixture.h"
#include "lock/ledger/status.h"
#include "os/machine/real_clock.h"
#include "proc/identity/caller.h"
#include "testing/programs.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

// In the other start, on Windows; on Linux a keeper is a fork.
TEST(KeeperSide, DISABLED_Keeps) {
  const os::RealClock clock;
  EXPECT_TRUE(keep_if_asked(clock, nullptr));
}

TEST(KeeperSide, DISABLED_Owns) {
  testing::tell("there");
  os::pause(std::chrono::minutes(2));
}

class KeeperContract : public LockFixture {
 protected:
  Result<> hand_to_keeper(os::Pid owner, std::optional<Place> of = std::nullopt) {
    LocalLock lock(of ? *std::move(of) : place(), backend_.fences(), clock_, &events_);
    EXPECT_EQ(kind_of(lock.acquire({.binding = LockBinding::kOwner})), Kind::kGranted);
    token_ = lock.grant()->token;
    auto pinned = proc::owner_by_pid(owner);
    if (!pinned) return fail(pinned.error());
    auto keeper = Keeper::start(lock, std::move(*pinned),
                                {.again = testing::OwnStart::words("KeeperSide.DISABLED_Keeps")});
    if (!keeper) return fail(keeper.error());
    keeper_ = keeper->pid();
    return keeper->confirm(lock);
  }

  Id128 token_;
  os::Pid keeper_{};
};

TEST_F(KeeperContract, TheLockIsHeldForTheOwnerAndGoesWithIt) {
  testing::OwnStart owner({.test = "KeeperSide.DISABLED_Owns"});
  ASSERT_EQ(owner.hear(), "there");
  const auto handed = hand_to_keeper(owner.pid());
  ASSERT_TRUE(handed) << to_sentence(handed.error());
  const auto lock = seat();
  EXPECT_EQ(kind_of(lock->acquire({.wait = 200ms})), Kind::kBusy);
  EXPECT_EQ(record().work.pid, os::number(owner.pid()));
  EXPECT_EQ(record().keeper.pid, os::number(keeper_));
  owner.kill();
  EXPECT_EQ(kind_of(lock->acquire({.wait = 60s})), Kind::kGranted);
}

TEST_F(KeeperContract, TheTokenReleasesItAndTheKeeperEnds) {
  const auto handed = hand_to_keeper(os::own_pid());
  ASSERT_TRUE(handed) << to_sentence(handed.error());
  const auto keeper = os::open_pidfd(keeper_);
  EXPECT_EQ(release_by_token(place(), token_, clock_, &events_).value().answer, TokenAnswer::kDone);
  const auto lock = seat();
  EXPECT_EQ(kind_of(lock->acquire({.wait = 10s})), Kind::kGranted);
  ASSERT_TRUE(keeper && *keeper);
  for (int i = 0; i < 3000 && !os::has_ended(**keeper).value(); ++i) os::pause(10ms);
  EXPECT_TRUE(os::has_ended(**keeper).value());
}

TEST_F(KeeperContract, AKilledKeeperLeavesTheLockWithItsOwner) {
  const auto handed = hand_to_keeper(os::own_pid());
  ASSERT_TRUE(handed) << to_sentence(handed.error());
  const auto keeper = os::open_pidfd(keeper_);
  ASSERT_TRUE(keeper && *keeper);
  ASSERT_EQ(os::signal_pidfd(**keeper, os::kSignalKill).value(), os::Sent::kSent);
  const auto lock = seat();
  EXPECT_EQ(kind_of(lock->acquire({.wait = 300ms})), Kind::kBusy);
  EXPECT_EQ(check_by_token(place(), token_, clock_).value().answer, TokenAnswer::kDone);
}

TEST_F(KeeperContract, OfAFileItKeepsOutThoseWhoLockTheSidecarAlone) {
  using os::operator""_name;
  ASSERT_TRUE(tmp_.dir().create_file("config"_name, 0600).value());
  testing::OwnStart owner({.test = "KeeperSide.DISABLED_Owns"});
  ASSERT_EQ(owner.hear(), "there");
  const auto of = backend_.place_of({.kind = LockId::Kind::kFile, .text = tmp_.path("config")});
  const auto handed = hand_to_keeper(owner.pid(), *of);
  ASSERT_TRUE(handed) << to_sentence(handed.error());
  const auto sidecar = tmp_.dir().open_file(".config.lock"_name, os::Access::kReadWrite).value();
  bool kept_out = false;  // at once, or as soon as the keeper has taken it over
  for (int i = 0; i < 2000 && !kept_out; ++i) {
    kept_out = !os::try_flock(*sidecar, os::Share::kShared).value();
    if (kept_out) break;
    ASSERT_TRUE(os::unlock_flock(*sidecar));
    os::pause(5ms);
  }
  EXPECT_TRUE(kept_out);
  owner.kill();
  const auto lock = seat_of_file(tmp_.path("config"));
  EXPECT_EQ(kind_of(lock->acquire({.wait = 60s})), Kind::kGranted);
}

}  // namespace
}  // namespace holdfast::lock
