// SPDX-License-Identifier: Apache-2.0
//
// Whatever fails, nobody alive is called dead. The kernel's own ESRCH is the one exception: it is
// the proof.
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>

#include "proc/identity/identity.h"
#include "proc/identity/process_fixture.h"
#include "proc/identity/verdict.h"
#include "testing/fault_sweep.h"

namespace holdfast::proc {
namespace {

using testing::SweepCase;

bool kernel_says_gone(const SweepCase& what) {
  return what.os_code == ESRCH || what.second_os_code == ESRCH;
}

void sweep_judge(const Identity& identity, const testing::MissingCalls& missing,
                 std::size_t at_least) {
  LifeVerdict verdict;
  const std::size_t runs =
      testing::fault_sweep({.prepare = [&] { verdict = {}; },
                            .body =
                                [&] {
                                  verdict = judge(identity);
                                  verdict.pidfd = os::Handle();
                                  return verdict.life == Life::kLive;
                                },
                            .check =
                                [&](const SweepCase& what, bool) {
                                  if (kernel_says_gone(what)) return;
                                  EXPECT_NE(verdict.life, Life::kDead)
                                      << what.description << ": " << verdict.evidence;
                                  EXPECT_FALSE(verdict.evidence.empty()) << what.description;
                                },
                            .missing = missing,
                            .second_faults = true});
  EXPECT_GE(runs, at_least);
}

TEST(IdentitySweep, NoFaultMakesALiveProcessDead) {
  ASSERT_TRUE(own_identity());
  WaitingChild child;
  const Identity identity = identity_of(child.pid()).value().value();
  sweep_judge(identity, {}, 10);
}

TEST(IdentitySweep, NoFaultMakesALiveProcessDeadByItsStart) {
  ASSERT_TRUE(own_identity());
  WaitingChild child;
  Identity identity = identity_of(child.pid()).value().value();
  identity.pidfs = 0;
  sweep_judge(identity, {}, 20);
}

TEST(IdentitySweep, NoFaultMakesALiveProcessDeadWithoutPidfds) {
  ASSERT_TRUE(own_identity());
  WaitingChild child;
  const Identity identity = identity_of(child.pid()).value().value();
  sweep_judge(identity, {{"pidfd_open", ENOSYS}}, 20);
}

void sweep_look(const std::function<Result<std::optional<Identity>>()>& look, const Identity& right,
                std::size_t at_least) {
  Result<std::optional<Identity>> seen;
  const std::size_t runs =
      testing::fault_sweep({.prepare = [&] { seen = std::optional<Identity>(); },
                            .body =
                                [&] {
                                  seen = look();
                                  return seen.has_value();
                                },
                            .check =
                                [&](const SweepCase& what, bool succeeded) {
                                  if (!succeeded || kernel_says_gone(what)) return;
                                  ASSERT_TRUE(*seen) << what.description;
                                  Identity got = **seen;
                                  // What may be left unknown, by name, is zero and nothing else.
                                  if (got.machine == Id128{} && what.fails("openat"))
                                    got.machine = right.machine;
                                  if (got.pidfs == 0 && what.fails("pidfd_open"))
                                    got.pidfs = right.pidfs;
                                  EXPECT_EQ(got, right) << what.description;
                                },
                            .second_faults = true});
  EXPECT_GE(runs, at_least);
}

TEST(IdentitySweep, NoFaultMakesAProcessVanishOrGivesItWrongFacts) {
  WaitingChild child;
  const Identity right = identity_of(child.pid()).value().value();
  sweep_look([&] { return identity_of(child.pid()); }, right, 40);
}

TEST(IdentitySweep, NoFaultMakesAChildVanishOrGivesItWrongFacts) {
  ASSERT_TRUE(own_identity());
  WaitingChild child;
  const Identity right = identity_of(child.pid()).value().value();
  sweep_look([&] { return identity_of_child(child.pid()); }, right, 10);
}

TEST(IdentitySweep, NoFaultGivesThisProcessWrongFacts) {
  const Identity right = read_own_identity().value();
  Result<Identity> seen;
  const std::size_t runs =
      testing::fault_sweep({.prepare = [&] { seen = Identity(); },
                            .body =
                                [&] {
                                  seen = read_own_identity();
                                  return seen.has_value();
                                },
                            .check =
                                [&](const SweepCase& what, bool succeeded) {
                                  if (!succeeded) return;
                                  Identity got = *seen;
                                  if (got.machine == Id128{} && what.fails("openat"))
                                    got.machine = right.machine;
                                  if (got.pidfs == 0 && what.fails("pidfd_open"))
                                    got.pidfs = right.pidfs;
                                  EXPECT_EQ(got, right) << what.description;
                                },
                            .second_faults = true});
  EXPECT_GE(runs, 30U);
}

}  // namespace
}  // namespace holdfast::proc
