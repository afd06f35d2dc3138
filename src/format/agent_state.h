// SPDX-License-Identifier: Apache-2.0
//
// The state file of a cron loop that starts one agent at a time: one JSON object,
//
//   {"pid":4711,"issue":160,"started_at":"2026-05-01T10:00:00+00:00","type":"issue",
//    "issue_title":"…","session_name":"…","ci_run_id_at_start":"…"}
//
// as harnesses write it today, read so that it can be taken over (`holdfast import agent-state`).
// `started_at` may be a number too, seconds since 1970 with or without a fraction.
// Pure: whether that agent lives is judged elsewhere.
//
// Errors: kCorrupt `not-json`, `not-a-state` (no object, or neither a pid nor a type), `bad-pid`.
// Nothing that cannot be read is "no agent".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast {

struct AgentState {
  std::optional<std::int32_t> pid{};
  std::string type{};  // "issue", "ci-fix", "pending-ci", or what else it says
  // As they stand there, numbers in their shortest spelling; empty: not there.
  std::string issue{};
  std::string title{};
  std::string session{};
  std::string started{};
  std::string ci_run{};

  // It says itself that no agent runs: the work waits for something else.
  [[nodiscard]] bool waits() const { return type == "pending-ci"; }

  bool operator==(const AgentState&) const = default;
};

inline constexpr std::size_t kMaxAgentState = 65536;

Result<AgentState> read_agent_state(std::string_view bytes, const std::string& subject);

}  // namespace holdfast
