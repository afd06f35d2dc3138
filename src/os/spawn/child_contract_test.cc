// SPDX-License-Identifier: Apache-2.0
//
// What a process learns of the children that it has started.
#include "os/spawn/child.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "os/signal/signals.h"
#include "os/spawn/spawn.h"
#include "testing/programs.h"

namespace holdfast::os {
namespace {

Spawned started(std::vector<std::string> words) {
  SpawnRequest request;
  request.argv = testing::test_child(std::move(words));
  request.stdin_from = StdinFrom::kNothing;
  auto spawned = spawn(request);
  EXPECT_TRUE(spawned) << (spawned ? "" : spawned.error().detail);
  EXPECT_TRUE(spawned->release());
  return std::move(*spawned);
}

TEST(ChildContract, OneThatLivesHasNotEndedAndOneThatEndedIsReapedOnce) {
  const Spawned child = started({"sleep-forever"});
  EXPECT_FALSE(reap_if_ended(child.child().pid).value());
  EXPECT_EQ(signal_own_child(child.child().pid, kSignalKill).value(), Sent::kSent);
  const ChildEnd end = reap_child(child.child().pid).value();
  EXPECT_EQ(end.how, ChildEnd::How::kSignalled);
  EXPECT_EQ(end.value, kSignalKill);
  EXPECT_FALSE(reap_child(child.child().pid)) << "it was reaped";
  EXPECT_EQ(signal_own_child(child.child().pid, kSignalKill).value(), Sent::kGone);
}

TEST(ChildContract, AnExitCodeIsReapedWhole) {
  for (const int code : {0, 1, 75, 255}) {
    const Spawned child = started({"exit", std::to_string(code)});
    const ChildEnd end = reap_child(child.child().pid).value();
    EXPECT_EQ(end.how, ChildEnd::How::kExited);
    EXPECT_EQ(end.value, code);
  }
}

TEST(ChildContract, ANumberOfNobodysIsNoChild) {
  EXPECT_FALSE(reap_if_ended(own_pid()));
  EXPECT_EQ(signal_own_child(own_pid(), kSignalKill).value(), Sent::kGone);
}

TEST(ChildContract, AllChildrenAreSignalledAtOnce) {
  std::vector<Spawned> children;
  for (int i = 0; i < 3; ++i) children.push_back(started({"sleep-forever"}));
  EXPECT_TRUE(signal_own_children(kSignalKill));
  for (const Spawned& child : children) {
    EXPECT_EQ(reap_child(child.child().pid).value().how, ChildEnd::How::kSignalled);
  }
}

}  // namespace
}  // namespace holdfast::os
