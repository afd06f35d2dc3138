// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include "lock/grant/cycle_fixture.h"
#include "proc/identity/process_fixture.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class CycleFork : public CycleFixture {};

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
