// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/identity.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "os/machine/machine_id.h"
#include "os/machine/namespaces.h"
#include "os/process/pidfd.h"
#include "proc/identity/process_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::proc {
namespace {

TEST(Identity, WhatAProcessSaysOfItselfIsWhatOthersSeeOfIt) {
  const auto own = own_identity();
  ASSERT_TRUE(own) << to_sentence(own.error());
  EXPECT_EQ(own->boot, os::boot_id().value());
  EXPECT_EQ(own->pid, os::own_pid());
  EXPECT_GT(own->start, 0U);
  EXPECT_EQ(own->uid, ::geteuid());
  const auto seen = identity_of(os::own_pid());
  ASSERT_TRUE(seen && *seen);
  EXPECT_EQ(**seen, *own);
  EXPECT_EQ(read_own_identity().value(), *own);
}

TEST(Identity, AForkIsAnotherProcessAndKnowsIt) {
  const Identity parent = own_identity().value();
  EXPECT_EQ(in_child([&] {
              const auto own = own_identity();
              if (!own || own->pid == parent.pid || own->boot != parent.boot) return 1;
              if (*own != read_own_identity().value()) return 2;
              return in_child([&] { return own_identity().value().pid == own->pid ? 3 : 0; });
            }),
            0);
  EXPECT_EQ(own_identity().value(), parent);
}

TEST(Identity, ManyThreadsThatAskFirstGetOneAnswer) {
  EXPECT_EQ(in_child([] {  // a fresh process, in which nobody has asked yet
              const os::Pid self = os::own_pid();
              std::vector<std::thread> threads;
              std::atomic<int> right = 0;
              for (int i = 0; i < 8; ++i) {
                threads.emplace_back([&] {
                  const auto own = own_identity();
                  if (own && own->pid == self) ++right;
                });
              }
              for (std::thread& thread : threads) thread.join();
              return right == 8 ? 0 : 1;
            }),
            0);
}

TEST(Identity, AChildIsPinnedAndToldFromItsSuccessor) {
  WaitingChild one;
  WaitingChild other;
  auto pinned = pin(one.pid());
  ASSERT_TRUE(pinned && *pinned);
  EXPECT_EQ((*pinned)->pidfd.valid(), os::pidfds_work());
  const auto seen = identity_of(other.pid());
  ASSERT_TRUE(seen && *seen);
  EXPECT_NE((*pinned)->identity, **seen);
  if ((*seen)->pidfs != 0) {
    EXPECT_NE((*pinned)->identity.pidfs, (*seen)->pidfs);
  }
}

TEST(Identity, NobodyAnEndedOneAndAThreadHaveNone) {
  WaitingChild child;
  child.kill();
  child.wait_for_end();
  EXPECT_FALSE(identity_of(child.pid()).value()) << "a zombie";
  const os::Pid pid = child.pid();
  child.reap();
  EXPECT_FALSE(identity_of(pid).value());
  EXPECT_FALSE(identity_of(os::Pid{0}).value());
  EXPECT_FALSE(identity_of(os::Pid{-1}).value());
  std::thread([] { EXPECT_FALSE(identity_of(os::Pid{::gettid()}).value()); }).join();
}

TEST(Identity, AChildOfOursIsSeenAsAnybodyIs) {
  WaitingChild child;
  EXPECT_EQ(identity_of_child(child.pid()).value(), identity_of(child.pid()).value());
  ASSERT_TRUE(own_identity());
  EXPECT_EQ(identity_of_child(child.pid()).value(), identity_of(child.pid()).value());
  // What the parent knows of itself is not what a fork of it knows.
  EXPECT_EQ(in_child([] {
              WaitingChild below;
              const auto seen = identity_of_child(below.pid());
              return seen && *seen && *seen == identity_of(below.pid()).value() ? 0 : 1;
            }),
            0);
  child.kill();
  child.wait_for_end();
  EXPECT_FALSE(identity_of_child(child.pid()).value()) << "a zombie";
}

TEST(Identity, TheUserIsTheProcesssOwn) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  WaitingChild child([] {
    if (::setresuid(0, 65534, 0) != 0) ::_exit(1);
  });
  ASSERT_TRUE(child.ready());
  const auto seen = identity_of(child.pid());
  ASSERT_TRUE(seen && *seen);
  EXPECT_EQ((*seen)->uid, 65534U);
}

TEST(Identity, NumberAndStartCountWhereTheReaderIs) {
  const Identity parent = own_identity().value();
  const int code = in_time_namespace([&] {
    const auto seen = identity_of(parent.pid);
    if (!seen || !*seen) return 1;
    if ((*seen)->timens == parent.timens || (*seen)->timens != own_identity()->timens) return 2;
    return (*seen)->start > parent.start && (*seen)->pidfs == parent.pidfs ? 0 : 3;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no time namespaces here";
  EXPECT_EQ(code, 0);
}

TEST(Identity, UnderTheProcOfAnotherNamespaceNobodyIsLookedUp) {
  const int code = in_pid_namespace(Proc::kOuter, [] {
    const auto own = own_identity();
    if (!own || own->pid != os::Pid{1}) return 1;
    const auto seen = identity_of(os::Pid{1});
    return !seen && seen.error().cause == "no-proc" ? 0 : 2;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no pid namespaces here";
  EXPECT_EQ(code, 0);
}

TEST(Identity, WithoutProcThereIsNoneRatherThanAWrongOne) {
  const testing::MissingCalls missing{{"openat", ENOENT}, {"fstatat", ENOENT}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(read_own_identity().error().cause, "no-proc");
  EXPECT_EQ(identity_of(os::own_pid()).error().cause, "no-proc");
}

}  // namespace
}  // namespace holdfast::proc
