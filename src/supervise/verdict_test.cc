// SPDX-License-Identifier: Apache-2.0
#include "supervise/verdict.h"

#include <gtest/gtest.h>

namespace holdfast::supervise {
namespace {

using How = os::ChildEnd::How;
using VerdictKind = os::StartFailure::Kind;

RunReport ended(How how, int value) {
  RunReport report;
  report.pid = os::Pid{42};
  report.started = WallTime{};
  report.end = os::ChildEnd{os::Pid{42}, how, value};
  report.empty = true;
  return report;
}

TEST(Verdict, TheCommandsOwnCodePassesAlsoOneThatLooksLikeOurs) {
  for (const int code : {0, 1, 64, 72, 75, 124, 125, 126, 127, 143, 255}) {
    const Verdict verdict = judge(ended(How::kExited, code));
    EXPECT_EQ(verdict.code, code);
    EXPECT_EQ(verdict.by, By::kCommand);
    EXPECT_EQ(verdict.exit_code, code);
    EXPECT_EQ(verdict.state, SessionState::kExited);
  }
}

TEST(Verdict, DeathOfASignalIs128AndMore) {
  const Verdict verdict = judge(ended(How::kSignalled, 9));
  EXPECT_EQ(verdict.code, 137);
  EXPECT_EQ(verdict.by, By::kCommand);
  EXPECT_EQ(verdict.signal, 9);
  EXPECT_EQ(verdict.exit_code, std::nullopt);
  EXPECT_EQ(verdict.state, SessionState::kKilled);
}

TEST(Verdict, ADeadlineIs124WhateverTheCommandDidThen) {
  for (RunReport report : {ended(How::kExited, 0), ended(How::kSignalled, 15)}) {
    report.deadline_fired = true;
    const Verdict verdict = judge(report);
    EXPECT_EQ(verdict.code, 124);
    EXPECT_EQ(verdict.by, By::kHoldfast);
    EXPECT_EQ(verdict.state, SessionState::kTimedOut);
  }
}

TEST(Verdict, SomethingLeftAliveIs72AlsoAfterADeadline) {
  for (const bool fired : {false, true}) {
    for (const bool known : {false, true}) {
      RunReport report = ended(How::kExited, 0);
      report.deadline_fired = fired;
      report.empty = false;
      if (!known) report.end.reset();
      EXPECT_EQ(judge(report).code, 72);
      EXPECT_EQ(judge(report).by, By::kHoldfast);
    }
  }
}

TEST(Verdict, WithoutASupervisorNobodyKnows) {
  RunReport report;
  report.supervisor_gone = true;
  EXPECT_EQ(judge(report).code, 69);
  EXPECT_EQ(judge(report).state, SessionState::kLost);
  EXPECT_EQ(judge(report).reason, "lost");
}

TEST(Verdict, AFaultDoesNotHideAProvenDeadline) {
  RunReport report = ended(How::kSignalled, 9);
  report.deadline_fired = true;
  report.fault = Error{.code = ErrorCode::kIo};
  EXPECT_EQ(judge(report).code, 124);
  report.deadline_fired = false;
  EXPECT_EQ(judge(report).code, 74);
}

TEST(Verdict, AFailedStartNeverLooksLikeTheCommand) {
  RunReport report = ended(How::kExited, 125);
  const std::vector<std::pair<VerdictKind, int>> codes{{VerdictKind::kNotFound, 127},
                                                       {VerdictKind::kNotExecutable, 126},
                                                       {VerdictKind::kNotReached, 125}};
  for (const auto& [kind, code] : codes) {
    report.start_failure = os::StartFailure{kind, 2};
    const Verdict verdict = judge(report);
    EXPECT_EQ(verdict.code, code);
    EXPECT_EQ(verdict.by, By::kHoldfast);
    EXPECT_EQ(verdict.exit_code, std::nullopt);
    EXPECT_EQ(verdict.state, SessionState::kFailed);
  }
  EXPECT_EQ(judge(RunReport{}).code, 125);  // not even a child was made
}

}  // namespace
}  // namespace holdfast::supervise
