// SPDX-License-Identifier: Apache-2.0
//
// Real processes and real kills: the other side is another start of this test program.
#include <charconv>
#include <thread>

#include "lock/grant/lock_fixture.h"
#include "lock/ledger/status.h"
#include "os/machine/real_clock.h"
#include "os/spawn/env.h"
#include "testing/programs.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using os::operator""_name;

constexpr const char* kDirectory = "HF_TEST_DIR";
constexpr const char* kRounds = "HF_TEST_ROUNDS";

struct Side {
  Side() : dir(os::Dir::open(os::env(kDirectory).value()).value()) {}
  std::unique_ptr<Lock> seat() { return std::move(*backend.open({.text = "deploy"})); }

  os::Dir dir;
  os::RealClock clock;
  KeptEvents events;
  LocalBackend backend{dir, clock, &events};
};

// What it does in the other process.
TEST(LockSide, DISABLED_Holds) {
  Side side;
  const auto lock = side.seat();
  const auto outcome = lock->acquire({.wait = 60s});
  testing::tell(outcome && outcome->granted() ? "held " + std::to_string(lock->grant()->fence)
                                              : "refused");
  os::pause(std::chrono::minutes(2));
}

TEST(LockSide, DISABLED_Counts) {
  Side side;
  const auto lock = side.seat();
  std::string said = "done";
  for (int left = std::stoi(os::env(kRounds).value()); left > 0; --left) {
    const auto outcome = lock->acquire({.wait = 120s});
    if (!outcome || !outcome->granted()) {
      said = "refused";
      break;
    }
    // Made by nobody else while we are in here.
    if (!side.dir.create_file("inside"_name, 0600).value()) said = "overlap";
    auto count = side.dir.open_file("count"_name, os::Access::kReadWrite).value();
    const std::string text = count->read_at(0, 64).value();
    const std::size_t space = text.find(' ');
    const std::uint64_t fence = std::stoull(text.substr(space + 1));
    if (lock->grant()->fence <= fence) said = "fence went back";
    EXPECT_TRUE(count->write_at(0, std::to_string(std::stoi(text.substr(0, space)) + 1) + " " +
                                       std::to_string(lock->grant()->fence) + " "));
    EXPECT_TRUE(side.dir.remove_file("inside"_name));
    EXPECT_EQ(lock->release().value(), Owned::kYes);
  }
  testing::tell(said);
}

TEST(LockSide, DISABLED_Sleeps) {
  testing::tell("there");
  os::pause(std::chrono::minutes(2));
}

// Exec-bound, with a process below that inherits life.
TEST(LockSide, DISABLED_HoldsForAChild) {
  Side side;
  const auto lock = side.seat();
  const auto outcome = lock->acquire({.binding = LockBinding::kExec});
  if (!outcome || !outcome->granted()) return testing::tell("refused");
  testing::OwnStart child(
      {.test = "LockSide.DISABLED_Sleeps", .environment = {}, .inherit = {lock->life()}});
  child.hear();
  testing::tell(std::to_string(os::number(child.pid())));
  os::pause(std::chrono::minutes(2));
}

class LockProcessContract : public LockFixture {
 protected:
  testing::OwnStart::How side(const std::string& test) {
    return {
        .test = "LockSide.DISABLED_" + test,
        .environment = {std::string(kDirectory) + "=" + tmp_.path(), std::string(kRounds) + "=6"}};
  }
};

TEST_F(LockProcessContract, AnotherProcessKeepsUsOutAndItsDeathLetsUsIn) {
  testing::OwnStart holder(side("Holds"));
  const std::string said = holder.hear();
  ASSERT_TRUE(said.starts_with("held ")) << said;
  const auto lock = seat();
  const auto refused = lock->acquire({});
  EXPECT_EQ(kind_of(refused), Kind::kBusy);
  EXPECT_EQ(refused->holder.pid, os::number(holder.pid()));
  holder.kill();
  // Without a wait of ours: a dead holder blocks nobody.
  const auto granted = lock->acquire({});
  ASSERT_EQ(kind_of(granted), Kind::kGranted);
  EXPECT_EQ(granted->cause, LockCause::kDead);
  EXPECT_GT(lock->grant()->fence, std::stoull(said.substr(5)));
}

TEST_F(LockProcessContract, AWaiterIsWokenByTheDeathOfTheHolder) {
  testing::OwnStart holder(side("Holds"));
  ASSERT_TRUE(holder.hear().starts_with("held "));
  std::jthread killer([&] {
    while (look_at_lock(place(), clock_).value().waiters.empty()) std::this_thread::yield();
    const auto sent = os::signal_pidfd(holder.process(), os::kSignalKill);
    EXPECT_TRUE(sent);
  });
  const auto lock = seat();
  const auto granted = lock->acquire({.wait = 60s});
  ASSERT_EQ(kind_of(granted), Kind::kGranted);
  EXPECT_EQ(granted->cause, LockCause::kDead);
}

TEST_F(LockProcessContract, AKilledWaiterHoldsUpNobody) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  testing::OwnStart waiter(side("Holds"));
  while (look_at_lock(place(), clock_).value().waiters.empty()) os::pause(5ms);
  waiter.kill();
  ASSERT_EQ(lock->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(lock->acquire({.wait = 10s})), Kind::kGranted);
}

TEST_F(LockProcessContract, EightProcessesNeverOverlapAndTheFenceOnlyRises) {
  ASSERT_TRUE(tmp_.dir().create_file("count"_name, 0600).value()->write_all("0 0 "));
  {
    std::vector<std::unique_ptr<testing::OwnStart>> sides;
    for (int i = 0; i < 8; ++i)
      sides.push_back(std::make_unique<testing::OwnStart>(side("Counts")));
    for (const auto& one : sides) EXPECT_EQ(one->hear(), "done");
  }
  auto count = tmp_.dir().open_file("count"_name, os::Access::kRead).value();
  EXPECT_TRUE(count->read_all(100).value().starts_with("48 "));
}

TEST_F(LockProcessContract, LifeGoesOnInAChildThatInheritedIt) {
  testing::OwnStart wrapper(side("HoldsForAChild"));
  const std::string said = wrapper.hear();
  std::int32_t child = 0;
  std::from_chars(said.data(), said.data() + said.size(), child);
  ASSERT_GT(child, 0) << said;
  const auto pinned = os::open_pidfd(os::Pid{child});
  ASSERT_TRUE(pinned && *pinned);
  wrapper.kill();
  const auto lock = seat();
  EXPECT_EQ(kind_of(lock->acquire({.wait = 400ms})), Kind::kBusy) << "its child still has life";
  EXPECT_EQ(look_at_lock(place(), clock_).value().state, Visible::kHeld);
  EXPECT_EQ(os::signal_pidfd(**pinned, os::kSignalKill).value(), os::Sent::kSent);
  const auto granted = lock->acquire({.wait = 60s});
  ASSERT_EQ(kind_of(granted), Kind::kGranted);
  EXPECT_EQ(granted->cause, LockCause::kDead);
}

TEST_F(LockProcessContract, AReleaseFreesItAlsoWhereAChildStillHasACopy) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({.binding = LockBinding::kExec})), Kind::kGranted);
  testing::OwnStart child(
      {.test = "LockSide.DISABLED_Sleeps", .environment = {}, .inherit = {lock->life()}});
  ASSERT_EQ(child.hear(), "there");
  ASSERT_EQ(lock->release().value(), Owned::kYes);
  const auto next = seat();
  EXPECT_EQ(kind_of(next->acquire({.wait = 10s})), Kind::kGranted);
}

}  // namespace
}  // namespace holdfast::lock
