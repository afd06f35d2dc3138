// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include "lock/cycle.h"
#include "lock/local_lock.h"
#include "os/real_clock.h"
#include "proc/process_fixture.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class CycleFork : public ::testing::Test {
 protected:
  std::unique_ptr<Lock> hold(const std::string& name, LockMode mode = LockMode::kExclusive) {
    auto lock = backend_.open({.kind = LockId::Kind::kNamed, .text = name}).value();
    const auto outcome = lock->acquire({.mode = mode});
    EXPECT_TRUE(outcome && outcome->granted()) << name;
    return lock;
  }
  Place place(const std::string& name) {
    return backend_.place_of({.kind = LockId::Kind::kNamed, .text = name}).value();
  }

  testing::TempDir home_;
  os::RealClock real_;
  LocalBackend backend_{home_.dir(), real_, nullptr};
  testing::ManualClock clock_;
};

TEST_F(CycleFork, ANoteOfAKilledWaiterDoesNotCount) {
  const auto a = hold("a");
  const auto b = hold("b");
  const LockChain under_a{a->chain_entry()};
  const LockChain under_b{b->chain_entry()};
  const Place place_a = place("a");
  const Place place_b = place("b");
  ASSERT_EQ(proc::in_child([&] {
              CycleWatch killed(under_a, place_b, clock_);
              const bool nothing = !killed.look();
              ::_exit(nothing ? 0 : 1);  // as if killed: the note stays
              return 1;
            }),
            0);
  clock_.advance(1s);
  CycleWatch younger(under_b, place_a, clock_);
  EXPECT_FALSE(younger.look());
}

}  // namespace
}  // namespace holdfast::lock
