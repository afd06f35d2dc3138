// SPDX-License-Identifier: Apache-2.0
//
// Waiters are played by watches of one process: each has descriptions of its own, as two processes
// would.
#include "lock/grant/cycle.h"

#include <gtest/gtest.h>

#include "lock/grant/cycle_fixture.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using Labels = std::vector<std::string>;

class Cycle : public CycleFixture {};

TEST_F(Cycle, TheYoungestOfTwoThatWaitForEachOtherIsTold) {
  const auto a = hold("a");
  const auto b = hold("b");
  const LockChain under_a{a->chain_entry()};
  const LockChain under_b{b->chain_entry()};
  const Place place_a = place("a");
  const Place place_b = place("b");
  CycleWatch older(under_a, place_b, clock_);
  clock_.advance(100ms);
  CycleWatch younger(under_b, place_a, clock_);
  clock_.advance(1s);
  EXPECT_FALSE(older.look()) << "the other has not noted yet";
  EXPECT_EQ(younger.look(), (Labels{"a", "b"}));
  EXPECT_FALSE(older.look()) << "it sees the cycle and is not the youngest";
}

TEST_F(Cycle, ACycleOfThreeIsFollowedToItsEnd) {
  const auto a = hold("a");
  const auto b = hold("b");
  const auto c = hold("c");
  const LockChain under_a{a->chain_entry()};
  const LockChain under_b{b->chain_entry()};
  const LockChain under_c{c->chain_entry()};
  const Place place_a = place("a");
  const Place place_b = place("b");
  const Place place_c = place("c");
  CycleWatch first(under_a, place_b, clock_);
  CycleWatch second(under_b, place_c, clock_);
  clock_.advance(1ms);
  CycleWatch third(under_c, place_a, clock_);
  EXPECT_FALSE(first.look());
  EXPECT_FALSE(second.look());
  EXPECT_EQ(third.look(), (Labels{"a", "b", "c"}));
}

TEST_F(Cycle, WaitingInALineIsNoCycle) {
  const auto a = hold("a");
  const auto b = hold("b");
  const auto c = hold("c");
  const LockChain under_a{a->chain_entry()};
  const LockChain under_b{b->chain_entry()};
  const Place place_b = place("b");
  const Place place_c = place("c");
  CycleWatch first(under_b, place_c, clock_);
  CycleWatch second(under_a, place_b, clock_);
  EXPECT_FALSE(first.look());
  EXPECT_FALSE(second.look());
}

TEST_F(Cycle, ANoteEndsWithItsWaiter) {
  const auto a = hold("a");
  const auto b = hold("b");
  const LockChain under_a{a->chain_entry()};
  const LockChain under_b{b->chain_entry()};
  const Place place_a = place("a");
  const Place place_b = place("b");
  {
    CycleWatch gone(under_a, place_b, clock_);
    EXPECT_FALSE(gone.look());
  }
  clock_.advance(1s);
  CycleWatch younger(under_b, place_a, clock_);
  EXPECT_FALSE(younger.look());
}

TEST_F(Cycle, ANoteOfATokenThatHoldsNoMoreDoesNotCount) {
  auto a = hold("a");
  const auto b = hold("b");
  const LockChain under_a{a->chain_entry()};
  const LockChain under_b{b->chain_entry()};
  const Place place_a = place("a");
  const Place place_b = place("b");
  CycleWatch older(under_a, place_b, clock_);
  EXPECT_FALSE(older.look());
  ASSERT_TRUE(a->release());
  const auto other = hold("a");  // somebody who waits for nothing
  clock_.advance(1s);
  CycleWatch younger(under_b, place_a, clock_);
  EXPECT_FALSE(younger.look());
}

TEST_F(Cycle, AReaderThatWantsToWriteWaitsForItself) {
  const auto reader = hold("a", LockMode::kShared);
  const LockChain under_a{reader->chain_entry()};
  const Place place_a = place("a");
  CycleWatch watch(under_a, place_a, clock_);
  EXPECT_EQ(watch.look(), (Labels{"a"}));
}

TEST_F(Cycle, OneOfSeveralReadersMayBeInTheCycle) {
  const auto one = hold("a", LockMode::kShared);
  const auto two = hold("a", LockMode::kShared);
  const auto b = hold("b");
  const LockChain under_two{two->chain_entry()};
  const LockChain under_b{b->chain_entry()};
  const Place place_a = place("a");
  const Place place_b = place("b");
  CycleWatch older(under_two, place_b, clock_);
  EXPECT_FALSE(older.look());
  clock_.advance(1s);
  CycleWatch younger(under_b, place_a, clock_);
  EXPECT_EQ(younger.look(), (Labels{"a", "b"}));
}

TEST_F(Cycle, NothingIsLeftLockedByALook) {
  const auto a = hold("a");
  const LockChain under_a{a->chain_entry()};
  const auto b = hold("b");
  const Place place_b = place("b");
  CycleWatch watch(under_a, place_b, clock_);
  EXPECT_FALSE(watch.look());
  EXPECT_EQ(a->check().value(), Owned::kYes);
  EXPECT_EQ(a->release().value(), Owned::kYes) << "GUARD is free";
}

TEST_F(Cycle, LooksComeAtOneTwoFourAndEightSeconds) {
  const auto a = hold("a");
  const LockChain under_a{a->chain_entry()};
  const Place place_a = place("b");
  const MonoTime begun = clock_.mono();
  CycleWatch watch(under_a, place_a, clock_);
  for (const auto due : {1s, 2s, 4s, 8s}) {
    EXPECT_EQ(watch.next_look(), begun + due);
    clock_.advance(begun + due - clock_.mono());
    EXPECT_FALSE(watch.look());
  }
}

TEST_F(Cycle, WhoHoldsNothingNeverLooks) {
  const LockChain nothing;
  const Place place_a = place("a");
  const CycleWatch watch(nothing, place_a, clock_);
  EXPECT_FALSE(watch.next_look());
}

}  // namespace
}  // namespace holdfast::lock
