// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/pid_file.h"

#include <gtest/gtest.h>

#include "os/machine/machine_id.h"
#include "os/machine/real_clock.h"
#include "proc/kill/kill_fixture.h"

namespace holdfast::proc {
namespace {

using namespace std::chrono_literals;

class PidFile : public ::testing::Test {
 protected:
  PidFile() : identity(identity_of_living(child.pid())) {
    claim.text = PidFileText{.pid = os::number(child.pid())};
    claim.written = clock.wall();
  }
  [[nodiscard]] WallTime began() const {
    return clock.wall() - clock.boot().time_since_epoch() +
           os::clock_tick() * static_cast<std::int64_t>(identity.start);
  }
  [[nodiscard]] LifeVerdict judge() const {
    return std::move(judge_pid_file(claim, clock).value().verdict);
  }
  void expect(Life life, const char* evidence) const {
    const LifeVerdict verdict = judge();
    EXPECT_EQ(verdict.life, life);
    EXPECT_EQ(verdict.evidence, evidence);
  }
  os::RealClock clock;
  WaitingChild child;
  Identity identity;
  PidFileClaim claim;
};

TEST_F(PidFile, ANumberAloneIsNoEvidence) { expect(Life::kUnknown, "no-evidence"); }

TEST_F(PidFile, EqualStartTicksAreAProof) {
  claim.start_ticks = identity.start;
  const auto answer = judge_pid_file(claim, clock).value();
  EXPECT_EQ(answer.verdict.life, Life::kLive);
  EXPECT_EQ(answer.identity, identity);
  claim.start_ticks.reset();
  claim.text->start_ticks = identity.start;
  expect(Life::kLive, "running");
}

TEST_F(PidFile, OtherStartTicksAreAnotherProcess) {
  claim.start_ticks = identity.start - 1;
  expect(Life::kDead, "recycled");
  claim.started_after = began() - 1s;
  expect(Life::kDead, "recycled");
}

// Ticks count from the boot: those of an earlier one may be equal by chance.
TEST_F(PidFile, AFileOfAnEarlierBootProvesNothing) {
  claim.start_ticks = identity.start;
  claim.written = clock.wall() - clock.boot().time_since_epoch() - 1min;
  expect(Life::kUnknown, "before-boot");
}

TEST_F(PidFile, AFileOfTheFutureProvesNothing) {
  claim.start_ticks = identity.start;
  claim.written = clock.wall() + 1h;
  expect(Life::kUnknown, "future-file");
}

TEST_F(PidFile, AStartBetweenTheTimeGivenAndTheWriteIsAProof) {
  claim.started_after = began() - 1s;
  expect(Life::kLive, "running");
}

TEST_F(PidFile, ALaterStartIsNotTheProcessOfTheFileAsFarAsTheClockTells) {
  claim.started_after = began() - 10min;
  claim.written = began() - 5min;
  if (claim.written < clock.wall() - clock.boot().time_since_epoch()) GTEST_SKIP() << "just booted";
  expect(Life::kUnknown, "started-later");
}

TEST_F(PidFile, AnEarlierStartIsNotTheProcessThatIsMeant) {
  claim.started_after = began() + 1s;
  claim.written = clock.wall();
  expect(Life::kUnknown, "started-earlier");
}

TEST_F(PidFile, NobodyWithTheNumberIsGone) {
  child.kill();
  child.reap();
  expect(Life::kDead, "no-such-process");
}

TEST_F(PidFile, AnotherHostOrNoNumberIsUnknown) {
  claim.text->host = os::host_name() + "x";
  expect(Life::kUnknown, "other-host");
  claim.text.reset();
  expect(Life::kUnknown, "no-pid");
}

TEST_F(PidFile, AnotherUsersProcessIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  WaitingChild other([] {
    if (!become_nobody()) ::_exit(50);
  });
  claim.text->pid = os::number(other.pid());
  claim.start_ticks = identity_of_living(other.pid()).start;
  const auto answer = judge_pid_file(claim, clock);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().cause, "foreign-user");
  EXPECT_EQ(answer.error().code, ErrorCode::kRefused);
}

}  // namespace
}  // namespace holdfast::proc
