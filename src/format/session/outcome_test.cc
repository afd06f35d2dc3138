// SPDX-License-Identifier: Apache-2.0
#include "format/session/outcome.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using enum SessionState;

int outcome_code(const Ended& ended) {
  return outcome_of(ended).value_or(Outcome{.code = -1}).code;
}

TEST(Outcome, OnlyARunThatIsOverHasOne) {
  for (std::size_t i = 0; i < kSessionStates; ++i) {
    const auto state = static_cast<SessionState>(i);
    for (const std::string_view why : {std::string_view(), reason::kSurvivors}) {
      EXPECT_EQ(outcome_of({.state = state, .reason = why}).has_value(), is_final(state));
    }
  }
}

TEST(Outcome, IsTheCommandsOwnWhereItHasOne) {
  const Outcome own = *outcome_of({.state = kExited, .reason = reason::kExited, .exit_code = 75});
  EXPECT_EQ(own.code, 75);
  EXPECT_TRUE(own.by_command);
  const Outcome died = *outcome_of({.state = kKilled, .reason = reason::kStopped, .signal = 15});
  EXPECT_EQ(died.code, 143);
  EXPECT_TRUE(died.by_command);
  EXPECT_EQ(outcome_code({.state = kExited}), 69);
  EXPECT_EQ(outcome_code({.state = kKilled}), 69);
}

TEST(Outcome, IsHoldfastsForAllElse) {
  EXPECT_EQ(outcome_code({.state = kTimedOut, .exit_code = 0}), 124);
  EXPECT_FALSE(outcome_of({.state = kTimedOut, .exit_code = 0})->by_command);
  EXPECT_EQ(outcome_code({.state = kUnverified, .exit_code = 0}), 76);
  EXPECT_EQ(outcome_code({.state = kLost}), 69);
  EXPECT_EQ(outcome_code({.state = kFailed}), 125);
  EXPECT_EQ(outcome_code({.state = kFailed, .reason = reason::kNotFound}), 127);
  EXPECT_EQ(outcome_code({.state = kFailed, .reason = reason::kNotExecutable}), 126);
  EXPECT_EQ(outcome_code({.state = kFailed, .reason = reason::kStopped}), 75);
  EXPECT_EQ(outcome_code({.state = kFailed, .reason = reason::kOwnerGone}), 75);
  EXPECT_EQ(outcome_code({.state = kFailed, .reason = reason::kSkipped}), 0);
  EXPECT_EQ(outcome_code({.state = kExited, .reason = reason::kSurvivors, .exit_code = 0}), 72);
  EXPECT_EQ(outcome_code({.state = kTimedOut, .reason = reason::kSurvivors}), 72);
}

TEST(Outcome, AnEndUnderALockThatWasLostProvesNothing) {
  EXPECT_EQ(outcome_code({.state = kExited, .exit_code = 0, .lock_lost = true}), 76);
  EXPECT_EQ(outcome_code({.state = kKilled, .signal = 9, .lock_lost = true}), 76);
  EXPECT_EQ(outcome_code({.state = kTimedOut, .lock_lost = true}), 124);
  EXPECT_EQ(outcome_code({.state = kFailed, .lock_lost = true}), 125);
}

TEST(Outcome, EveryErrorKeepsItsCodeThroughItsReason) {
  for (const ErrorCodeInfo& one : kErrorCodes) {
    const int before = to_int(code_before_start(one.code));
    EXPECT_EQ(outcome_code({.state = kFailed, .reason = reason_not_started(one.code)}), before)
        << one.name;
    for (const SessionState state : {kExited, kKilled, kLost}) {
      EXPECT_EQ(outcome_code({.state = state, .reason = reason_of_fault(one.code)}),
                to_int(one.exit))
          << one.name;
    }
  }
}

// A reason that is written for something else must not be taken for an error's.
TEST(Outcome, NoOtherReasonReadsAsAnError) {
  for (const std::string_view why :
       {reason::kAdopted, reason::kBudget, reason::kDeadline, reason::kExited, reason::kFault,
        reason::kIdle, reason::kInterrupted, reason::kLost, reason::kNoStatus, reason::kOutOfMemory,
        reason::kOwnerGone, reason::kRefuted, reason::kSignal, reason::kSkipped, reason::kStopped,
        reason::kUnproven, reason::kUnverified}) {
    EXPECT_EQ(outcome_code({.state = kExited, .reason = why, .exit_code = 3}), 3) << why;
  }
}

SessionRecord ended_as(SessionState state, std::string_view why, std::optional<int> code = {}) {
  SessionRecord record;
  record.state = state;
  record.reason = std::string(why);
  record.exit_code = code;
  return record;
}

TEST(Success, IsThisTable) {
  using enum Success;
  EXPECT_EQ(success_of(ended_as(kExited, reason::kExited, 0)), kSuccess);
  EXPECT_EQ(success_of(ended_as(kExited, reason::kExited, 1)), kFailure);
  EXPECT_EQ(success_of(ended_as(kExited, "io", 0)), kFailure);
  EXPECT_EQ(success_of(ended_as(kFailed, reason::kSkipped, {})), Success::kStopped);
  EXPECT_EQ(success_of(ended_as(kExited, reason::kLost, 0)), kFailure);
  EXPECT_EQ(success_of(ended_as(kTimedOut, reason::kDeadline, 0)), kFailure);
  EXPECT_EQ(success_of(ended_as(kUnverified, reason::kRefuted, 0)), kFailure);
  EXPECT_EQ(success_of(ended_as(kKilled, reason::kOutOfMemory)), kFailure);
  EXPECT_EQ(success_of(ended_as(kLost, "cgroup-empty")), kFailure);
  EXPECT_EQ(success_of(ended_as(kFailed, reason::kNotFound)), kFailure);
  EXPECT_EQ(success_of(ended_as(kFailed, "busy")), kFailure);
  EXPECT_EQ(success_of(ended_as(kStopping, reason::kSurvivors, 0)), kFailure);
}

TEST(Success, WhatSomebodyStoppedIsNeitherUnlessItWasVerifiedOrIsAFailureByItself) {
  using enum Success;
  const auto asked = [](SessionRecord record) {
    record.asked = SessionAsked{.by = "stop, process 1"};
    return record;
  };
  for (const SessionState state : {kExited, kKilled, kFailed, kLost}) {
    EXPECT_EQ(success_of(asked(ended_as(state, reason::kStopped, 0))), kStopped);
  }
  EXPECT_EQ(success_of(asked(ended_as(kTimedOut, reason::kDeadline))), kFailure);
  EXPECT_EQ(success_of(asked(ended_as(kExited, reason::kSurvivors))), kFailure);
  SessionRecord verified = asked(ended_as(kExited, reason::kExited, 0));
  verified.verified = true;
  EXPECT_EQ(success_of(verified), kSuccess);
}

// Of each run: how it ended (0 well, 1 badly, 2 stopped) and whether what was told arrived.
std::string told_of(std::initializer_list<std::pair<int, bool>> runs, bool on_success = true) {
  std::string all;
  SessionStreak streak;
  for (const auto& [how, arrives] : runs) {
    SessionRecord record =
        ended_as(kExited, how == 2 ? reason::kStopped : reason::kExited, how == 2 ? 0 : how);
    if (how == 2) record.asked = SessionAsked{.by = "stop"};
    record.order.on_failure = "f";
    if (on_success) record.order.on_success = "s";
    record.streak = streak;
    const bool has = how == 1 || on_success;
    const bool tells = has && is_news(record);
    record.told = tells && arrives;
    all += !tells ? '.' : how == 1 ? 'F' : 'S';
    streak = streak_after(record);
  }
  return all;
}

TEST(Streak, TellsOfTheFirstFailureAndOfTheFirstSuccessBehindIt) {
  EXPECT_EQ(told_of({{0, true}, {1, true}, {1, true}, {0, true}, {0, true}, {1, true}}), ".F.S.F");
}

TEST(Streak, WhatCouldNotBeToldIsToldByTheNextOne) {
  EXPECT_EQ(told_of({{1, false}, {1, false}, {1, true}, {1, true}}), "FFF.");
  EXPECT_EQ(told_of({{1, true}, {0, false}, {0, true}, {0, true}}), "FSS.");
  EXPECT_EQ(told_of({{1, true}, {0, false}, {1, true}, {0, true}}), "FSFS");
}

TEST(Streak, ARunThatWasStoppedChangesNothing) {
  EXPECT_EQ(told_of({{1, true}, {2, true}, {1, true}, {2, true}, {0, true}}), "F...S");
}

TEST(Streak, ACommandForSuccessThatComesLaterTellsNothingOld) {
  EXPECT_EQ(told_of({{1, true}, {0, true}}, false), "F.");
  SessionRecord success = ended_as(kExited, reason::kExited, 0);
  success.streak = {.failures = 4, .failure_told = true, .success_due = true};
  EXPECT_EQ(streak_after(success), SessionStreak{});
}

TEST(Streak, CountsFailuresInARow) {
  SessionRecord record = ended_as(kLost, "other-boot");
  record.streak = {.failures = 2, .failure_told = true, .success_due = true};
  EXPECT_EQ(streak_after(record).failures, 3U);
}

}  // namespace
}  // namespace holdfast
