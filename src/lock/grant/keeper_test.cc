// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/keeper.h"

#include "lock/grant/force.h"
#include "lock/grant/fork_fixture.h"
#include "lock/grant/identity.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class KeeperTest : public LockFixture {
 protected:
  void SetUp() override {
    owner_ = child([] { ::pause(); });
  }
  void TearDown() override {
    if (owner_ != 0) kill_and_reap(owner_);
  }

  [[nodiscard]] std::unique_ptr<LocalLock> held() {
    auto lock = std::make_unique<LocalLock>(place(), backend_.fences(), clock_, &events_);
    EXPECT_EQ(kind_of(lock->acquire({.binding = LockBinding::kOwner})), Kind::kGranted);
    return lock;
  }
  [[nodiscard]] proc::Pinned owner() const {
    auto pinned = proc::pin(os::Pid{owner_});
    EXPECT_TRUE(pinned && *pinned);
    return std::move(**pinned);
  }
  void end_owner() { kill_and_reap(std::exchange(owner_, 0)); }

  pid_t owner_ = 0;
};

TEST_F(KeeperTest, TheRecordNamesOwnerAndKeeperAtOnce) {
  const auto lock = held();
  const proc::Pinned pinned = owner();
  const auto keeper = Keeper::start(*lock, owner(), {});
  ASSERT_TRUE(keeper) << to_sentence(keeper.error());
  const LockRecord now = record();
  EXPECT_EQ(now.work, to_record(pinned.identity));
  EXPECT_EQ(now.keeper.pid, os::number(keeper->pid()));
  EXPECT_EQ(now.token, lock->grant()->token);
}

TEST_F(KeeperTest, WithoutConfirmTheLockStaysTheCallers) {
  const auto lock = held();
  os::Pid pid{};
  {
    const auto keeper = Keeper::start(*lock, owner(), {});
    ASSERT_TRUE(keeper);
    pid = keeper->pid();
  }
  EXPECT_EQ(::waitpid(os::number(pid), nullptr, 0), -1) << "the keeper was not reaped";
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
  EXPECT_EQ(lock->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
}

TEST_F(KeeperTest, ItHoldsUntilTheOwnerEndsAndNoLonger) {
  const auto lock = held();
  auto keeper = Keeper::start(*lock, owner(), {});
  ASSERT_TRUE(keeper);
  ASSERT_TRUE(keeper->confirm(*lock));
  EXPECT_FALSE(lock->grant()) << "the seat was not left";
  const auto other = seat();
  EXPECT_EQ(kind_of(other->acquire({})), Kind::kBusy);
  end_owner();
  EXPECT_EQ(kind_of(other->acquire({.wait = 10s})), Kind::kGranted);
  EXPECT_EQ(wait_for(os::number(keeper->pid())), 0);
}

TEST_F(KeeperTest, ACallerThatDiesBeforeItConfirmsLeavesTheLockFree) {
  Signpost started;
  const pid_t caller = child([&] {
    const auto lock = held();
    const auto keeper = Keeper::start(*lock, owner(), {});
    if (keeper) started.put();
    ::pause();
  });
  started.await();
  const auto other = seat();
  EXPECT_EQ(kind_of(other->acquire({})), Kind::kBusy);
  kill_and_reap(caller);
  EXPECT_EQ(kind_of(other->acquire({.wait = 10s})), Kind::kGranted) << "the owner still lives";
}

TEST_F(KeeperTest, AKeeperThatDiesBeforeItIsConfirmedIsNoticed) {
  const auto lock = held();
  auto keeper = Keeper::start(*lock, owner(), {});
  ASSERT_TRUE(keeper);
  ASSERT_TRUE(end_keeper(record(), 4s).value());
  ASSERT_NE(::signal(SIGPIPE, SIG_IGN), SIG_ERR);
  const auto confirmed = keeper->confirm(*lock);
  ASSERT_NE(::signal(SIGPIPE, SIG_DFL), SIG_ERR);
  ASSERT_FALSE(confirmed);
  EXPECT_EQ(confirmed.error().cause, "no-keeper");
  EXPECT_TRUE(lock->grant()) << "the caller gave up what it has to release";
}

TEST_F(KeeperTest, AnOwnerThatCannotBeWatchedIsRefused) {
  const auto lock = held();
  proc::Pinned blind = owner();
  blind.pidfd.reset();
  const auto keeper = Keeper::start(*lock, std::move(blind), {});
  ASSERT_FALSE(keeper);
  EXPECT_EQ(keeper.error().cause, "no-pidfd");
  EXPECT_EQ(lock->check().value(), Owned::kYes);
}

}  // namespace
}  // namespace holdfast::lock
