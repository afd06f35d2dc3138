// SPDX-License-Identifier: Apache-2.0
#include "session/record/exit_code.h"

#include <gtest/gtest.h>

#include "format/session/session_test_values.h"

namespace holdfast::session {
namespace {

using enum SessionState;

int code_of(SessionState state, const SessionRecord& record) {
  const auto answer = answer_of(state, record);
  return answer ? answer->code : -1;
}

TEST(SessionExitCode, OnlyASessionThatIsOverHasOne) {
  for (std::size_t i = 0; i < kSessionStates; ++i) {
    const auto state = static_cast<SessionState>(i);
    EXPECT_EQ(answer_of(state, small_session()).has_value(), is_final(state)) << to_text(state);
  }
}

TEST(SessionExitCode, IsTheCommandsOwnWhereItHasOne) {
  SessionRecord record = small_session();
  record.exit_code = 75;
  EXPECT_EQ(code_of(kExited, record), 75);
  EXPECT_TRUE(answer_of(kExited, record)->by_command);
  record.exit_code.reset();
  EXPECT_EQ(code_of(kExited, record), 69);
  record.signal = 9;
  EXPECT_EQ(code_of(kKilled, record), 137);
  EXPECT_TRUE(answer_of(kKilled, record)->by_command);
  record.signal.reset();
  EXPECT_EQ(code_of(kKilled, record), 69);
}

TEST(SessionExitCode, IsHoldfastsForAllElse) {
  SessionRecord record = small_session();
  record.exit_code = 0;
  EXPECT_EQ(code_of(kTimedOut, record), 124);
  EXPECT_FALSE(answer_of(kTimedOut, record)->by_command);
  EXPECT_EQ(code_of(kUnverified, record), 76);
  EXPECT_EQ(code_of(kLost, record), 69);
  EXPECT_EQ(code_of(kFailed, record), 125);
  record.reason = "not-found";
  EXPECT_EQ(code_of(kFailed, record), 127);
  record.reason = "not-executable";
  EXPECT_EQ(code_of(kFailed, record), 126);
}

}  // namespace
}  // namespace holdfast::session
