// SPDX-License-Identifier: Apache-2.0
//
// Identity, verdict and kill on either platform, with real processes: other starts of this program.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>

#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "os/watch/poll.h"
#include "proc/identity/caller.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "proc/kill/kill.h"
#include "proc/tree/process_table.h"
#include "testing/programs.h"

namespace holdfast::proc {
namespace {

using namespace std::chrono_literals;

class Sink final : public EventSink {
 public:
  Result<EventReceipt> record(const Event& event) override {
    if (refuses) return fail({.code = ErrorCode::kCannotTell, .op = "record", .cause = "no-room"});
    types.emplace_back(event.type);
    return EventReceipt{};
  }
  bool refuses = false;
  std::vector<std::string> types;
};

TEST(ProcessSide, DISABLED_Sleeps) {
  testing::tell("there");
  os::pause(std::chrono::minutes(2));
}

TEST(ProcessSide, DISABLED_TellsItsParent) {
  const auto parent = parent_process();
  testing::tell(parent ? std::to_string(os::number(parent->identity.pid)) : "none");
}

TEST(ProcessSide, DISABLED_HasAChild) {
  testing::OwnStart child({.test = "ProcessSide.DISABLED_Sleeps"});
  child.hear();
  testing::tell(std::to_string(os::number(child.pid())));
  os::pause(std::chrono::minutes(2));
}

class ProcessContract : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  }
  static bool lives(os::Pid pid) {
    const auto pin = os::open_pidfd(pid);
    return pin && *pin && !os::has_ended(**pin).value();
  }
  static Identity identity_of_living(os::Pid pid) { return identity_of(pid).value().value(); }

  Sink sink_;
};

TEST_F(ProcessContract, OneselfIsTheSameEachTimeAndLives) {
  const Identity own = own_identity().value();
  EXPECT_EQ(own.pid, os::own_pid());
  EXPECT_EQ(read_own_identity().value(), own);
  EXPECT_EQ(identity_of_living(os::own_pid()), own);
  EXPECT_NE(own.boot, Id128{});
  EXPECT_EQ(judge(own).life, Life::kLive);
  EXPECT_EQ(judge(own).evidence, "running");
}

TEST_F(ProcessContract, AnotherProcessIsAnother) {
  testing::OwnStart child({.test = "ProcessSide.DISABLED_Sleeps"});
  ASSERT_EQ(child.hear(), "there");
  const Identity identity = identity_of_living(child.pid());
  EXPECT_EQ(identity.pid, child.pid());
  EXPECT_EQ(identity.boot, own_identity().value().boot);
  EXPECT_NE(identity.start, 0U);
  EXPECT_EQ(identity_of_living(child.pid()), identity);
  const LifeVerdict verdict = judge(identity);
  EXPECT_EQ(verdict.life, Life::kLive);
  EXPECT_TRUE(verdict.pidfd.valid());
}

TEST_F(ProcessContract, WhoWasKilledIsDeadWithAProof) {
  testing::OwnStart child({.test = "ProcessSide.DISABLED_Sleeps"});
  ASSERT_EQ(child.hear(), "there");
  const Identity identity = identity_of_living(child.pid());
  child.kill();
  const LifeVerdict verdict = judge(identity, 1s);
  EXPECT_EQ(verdict.life, Life::kDead) << verdict.evidence;
}

TEST_F(ProcessContract, ARecycledNumberIsNotTheOneThatIsMeant) {
  testing::OwnStart child({.test = "ProcessSide.DISABLED_Sleeps"});
  ASSERT_EQ(child.hear(), "there");
  Identity before = identity_of_living(child.pid());
  before.start -= 1;
  if (before.pidfs != 0) before.pidfs -= 1;
  const LifeVerdict verdict = judge(before);
  EXPECT_EQ(verdict.life, Life::kDead);
  EXPECT_EQ(verdict.evidence, "recycled");
  const auto report = kill_process(before, {}, sink_);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, KillOutcome::kMismatch);
  EXPECT_TRUE(lives(child.pid()));
}

TEST_F(ProcessContract, AnotherMachineIsNotJudged) {
  Identity elsewhere = own_identity().value();
  elsewhere.boot.bytes[0] ^= 1U;
  elsewhere.machine.bytes[0] ^= 1U;
  EXPECT_EQ(judge(elsewhere).life, Life::kUnknown);
}

TEST_F(ProcessContract, ANumberThatNobodyHasIsDead) {
  Identity nobody = own_identity().value();
  nobody.pid = os::Pid{0x3ffffff0};
  EXPECT_EQ(judge(nobody).life, Life::kDead);
  EXPECT_EQ(judge(nobody).evidence, "no-such-process");
  EXPECT_FALSE(identity_of(nobody.pid).value());
}

TEST_F(ProcessContract, TheOneThatIsMeantIsKilledAndItIsOnRecord) {
  testing::OwnStart child({.test = "ProcessSide.DISABLED_Sleeps"});
  ASSERT_EQ(child.hear(), "there");
  const auto report = kill_process(identity_of_living(child.pid()), {.grace = 2s}, sink_);
  ASSERT_TRUE(report) << to_sentence(report.error());
  EXPECT_EQ(report->outcome, KillOutcome::kKilled);
  EXPECT_FALSE(sink_.types.empty());
  EXPECT_TRUE(os::has_ended(child.process()).value());
}

TEST_F(ProcessContract, WithoutARecordNobodyIsKilled) {
  testing::OwnStart child({.test = "ProcessSide.DISABLED_Sleeps"});
  ASSERT_EQ(child.hear(), "there");
  sink_.refuses = true;
  EXPECT_FALSE(kill_process(identity_of_living(child.pid()), {}, sink_));
  EXPECT_TRUE(lives(child.pid()));
}

TEST_F(ProcessContract, TheCallerAndItsAncestorsAreNeverKilled) {
  const auto self = kill_process(own_identity().value(), {}, sink_);
  ASSERT_TRUE(self);
  EXPECT_EQ(self->outcome, KillOutcome::kRefused);
  EXPECT_EQ(self->evidence, "caller");
}

TEST_F(ProcessContract, ATreeIsKilledWithWhatIsBelow) {
  testing::OwnStart parent({.test = "ProcessSide.DISABLED_HasAChild"});
  const std::string said = parent.hear();
  std::int32_t below = 0;
  std::from_chars(said.data(), said.data() + said.size(), below);
  ASSERT_GT(below, 0) << said;
  const auto pin = os::open_pidfd(os::Pid{below});
  ASSERT_TRUE(pin && *pin);
  const auto report =
      kill_process(identity_of_living(parent.pid()), {.tree = true, .grace = 2s}, sink_);
  ASSERT_TRUE(report) << to_sentence(report.error());
  EXPECT_TRUE(os::wait_readable({&**pin}, 10s).value());
  EXPECT_TRUE(os::has_ended(parent.process()).value());
  EXPECT_GE(report->ended, 1U);
  EXPECT_TRUE(report->survivors.empty());
}

TEST_F(ProcessContract, AChildNamesItsParent) {
  testing::OwnStart child({.test = "ProcessSide.DISABLED_TellsItsParent"});
  EXPECT_EQ(child.hear(), std::to_string(os::number(os::own_pid())));
}

TEST_F(ProcessContract, TheTableShowsOneselfAndOnesChild) {
  testing::OwnStart child({.test = "ProcessSide.DISABLED_Sleeps"});
  ASSERT_EQ(child.hear(), "there");
  const ProcessTable table = read_process_table().value();
  const auto row = std::ranges::find(table.rows, child.pid(), &ProcessFacts::pid);
  ASSERT_NE(row, table.rows.end());
  EXPECT_EQ(row->parent, os::own_pid());
  EXPECT_FALSE(row->name.empty());
  const auto below = descendants_of(os::own_pid(), table.rows);
  EXPECT_NE(std::ranges::find(below, child.pid(), &ProcessFacts::pid), below.end());
  EXPECT_EQ(owner_by_pid(child.pid()).value().identity, identity_of_living(child.pid()));
}

}  // namespace
}  // namespace holdfast::proc
