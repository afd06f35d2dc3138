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
        reason::kRefuted, reason::kSignal, reason::kStopped, reason::kUnproven,
        reason::kUnverified}) {
    EXPECT_EQ(outcome_code({.state = kExited, .reason = why, .exit_code = 3}), 3) << why;
  }
}

}  // namespace
}  // namespace holdfast
