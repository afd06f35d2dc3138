// SPDX-License-Identifier: Apache-2.0
//
// Where a process vouches for a session, the kernel is asked, with real ones.
#include <gtest/gtest.h>

#include "authority/ask.h"
#include "authority/engine.h"
#include "proc/identity/identity.h"
#include "testing/processes.h"

namespace holdfast::authority {
namespace {

TEST(Judge, AProcessIsJudgedByTheKernel) {
  const testing::WaitingChild child;
  Authority authority =
      describe({AuthorityKind::kProcess, std::to_string(os::number(child.pid()))}).value();
  EXPECT_FALSE(question_for(authority));
  EXPECT_EQ(judge(authority, "s", nullptr).vouched, Vouched::kLive);
  child.kill();
  child.wait_for_end();
  const Verdict dead = judge(authority, "s", nullptr);
  EXPECT_EQ(dead.vouched, Vouched::kDead);
  EXPECT_TRUE(dead.by_identity);
  authority.process.reset();
  EXPECT_EQ(judge(authority, "s", nullptr).vouched, Vouched::kUnknown);
}

TEST(Judge, ADeadServerOfTmuxTakesItsSessionsWithItWhoeverAnswers) {
  const testing::WaitingChild child;
  Id128 machine;
  machine.bytes[0] = 1;
  Authority authority{.kind = AuthorityKind::kTmux,
                      .id = "web",
                      .daemon = "store",
                      .endpoint = "local",
                      .machine = machine};
  authority.process = proc::to_record(proc::identity_of(child.pid()).value().value());
  const Answer failed{.reason = "failed"};
  EXPECT_EQ(judge(authority, "s", &failed).reason, "failed");
  const Answer other{.told = true, .daemon = "another", .endpoint = "local", .machine = machine};
  EXPECT_EQ(judge(authority, "s", &other).reason, "other-daemon");
  child.kill();
  child.wait_for_end();
  for (const Answer* answer : {&failed, &other, static_cast<const Answer*>(nullptr)}) {
    const Verdict verdict = judge(authority, "s", answer);
    EXPECT_EQ(verdict.vouched, Vouched::kDead);
    EXPECT_TRUE(verdict.by_identity);
  }
}

}  // namespace
}  // namespace holdfast::authority
