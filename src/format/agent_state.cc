// SPDX-License-Identifier: Apache-2.0
#include "format/agent_state.h"

#include <limits>

#include "format/json.h"

namespace holdfast {
namespace {

std::unexpected<Error> agent_state_corrupt(const std::string& subject, std::string_view cause,
                                           std::string detail) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the state of an agent in",
               .subject = subject,
               .cause = std::string(cause),
               .detail = std::move(detail)});
}

// A text, or a number (some loops note a time as `time.time()` gives it) in its shortest spelling;
// empty for anything else.
std::string agent_state_text_of(const Json& object, const char* key) {
  const Json* field = object.find(key);
  if (field == nullptr) return {};
  if (const auto* text = field->text()) return *text;
  return field->is_number() ? field->dump() : std::string();
}

}  // namespace

Result<AgentState> read_agent_state(std::string_view bytes, const std::string& subject) {
  const Json object = parse_json(bytes);
  if (object.is_invalid())
    return agent_state_corrupt(subject, "not-json", "it is not JSON, or cut off");
  if (!object.is_object())
    return agent_state_corrupt(subject, "not-a-state", "it is not one JSON object");
  AgentState state{.type = agent_state_text_of(object, "type"),
                   .issue = agent_state_text_of(object, "issue"),
                   .title = agent_state_text_of(object, "issue_title"),
                   .session = agent_state_text_of(object, "session_name"),
                   .started = agent_state_text_of(object, "started_at"),
                   .ci_run = agent_state_text_of(object, "ci_run_id_at_start")};
  const Json* pid = object.find("pid");
  const bool has_pid = pid != nullptr && !pid->is_null();
  if (!has_pid && state.type.empty()) {
    return agent_state_corrupt(subject, "not-a-state", "it has neither a `pid` nor a `type`");
  }
  if (!has_pid) return state;
  if (pid->count().value_or(0) == 0 || *pid->count() > std::numeric_limits<std::int32_t>::max()) {
    return agent_state_corrupt(subject, "bad-pid", "its `pid` is not the number of a process");
  }
  state.pid = static_cast<std::int32_t>(*pid->count());
  return state;
}

}  // namespace holdfast
