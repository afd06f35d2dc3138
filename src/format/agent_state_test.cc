// SPDX-License-Identifier: Apache-2.0
#include "format/agent_state.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::string agent_state_cause_of(std::string_view bytes) {
  const auto state = read_agent_state(bytes, "state.json");
  return state ? "" : state.error().cause;
}

TEST(AgentState, WhatALoopWritesIsReadAsItStandsThere) {
  const auto state = read_agent_state(
      R"({"pid": 4711, "issue": 160, "started_at": "2026-05-01T10:00:00+00:00", "type": "issue",
          "issue_title": "Fix it", "session_name": "issue-160", "more": [1]})",
      "state.json");
  ASSERT_TRUE(state);
  EXPECT_EQ(state->pid, 4711);
  EXPECT_EQ(state->issue, "160");
  EXPECT_EQ(state->started, "2026-05-01T10:00:00+00:00");
  EXPECT_EQ(state->title, "Fix it");
  EXPECT_EQ(state->session, "issue-160");
  EXPECT_FALSE(state->waits());
}

TEST(AgentState, ATimeMayBeANumberWithAFraction) {
  const auto started = [](std::string_view bytes) {
    const auto state = read_agent_state(bytes, "state.json");
    return state ? state->started : state.error().cause;
  };
  EXPECT_EQ(started(R"({"pid": 4711, "issue": 160, "started_at": 1763426400.1234567})"),
            "1763426400.1234567");
  EXPECT_EQ(started(R"({"pid": 4711, "started_at": 1763426400})"), "1763426400");
  EXPECT_EQ(started(R"({"pid": 4711, "started_at": [1]})"), "");
}

TEST(AgentState, OneThatWaitsNeedsNoProcess) {
  const auto state = read_agent_state(R"({"type":"pending-ci","issue":"7","pid":null})", "s");
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->waits());
  EXPECT_FALSE(state->pid);
}

TEST(AgentState, WhatCannotBeReadIsNeverNoAgent) {
  EXPECT_EQ(agent_state_cause_of(""), "not-json");
  EXPECT_EQ(agent_state_cause_of(R"({"pid": 47)"), "not-json");
  EXPECT_EQ(agent_state_cause_of("[]"), "not-a-state");
  EXPECT_EQ(agent_state_cause_of("{}"), "not-a-state");
  EXPECT_EQ(agent_state_cause_of(R"({"pid":"4711"})"), "bad-pid");
  EXPECT_EQ(agent_state_cause_of(R"({"pid":0})"), "bad-pid");
  EXPECT_EQ(agent_state_cause_of(R"({"pid":-4})"), "bad-pid");
  EXPECT_EQ(agent_state_cause_of(R"({"pid":4294967297})"), "bad-pid");
}

}  // namespace
}  // namespace holdfast
