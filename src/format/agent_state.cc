// SPDX-License-Identifier: Apache-2.0
#include "format/agent_state.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "format/json_fields.h"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;

std::unexpected<Error> corrupt(const std::string& subject, std::string_view cause,
                               std::string detail) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the state of an agent in",
               .subject = subject,
               .cause = std::string(cause),
               .detail = std::move(detail)});
}

// A text, or a number (some loops note a time as `time.time()` gives it) in its shortest spelling;
// empty for anything else.
std::string text_of(const Json& object, const char* key) {
  const auto field = object.find(key);
  if (field == object.end()) return {};
  if (const auto* text = field->get_ptr<const std::string*>()) return *text;
  return field->is_number() ? field->dump() : std::string();
}

}  // namespace

Result<AgentState> read_agent_state(std::string_view bytes, const std::string& subject) {
  const Json object = parse_json(bytes);
  if (object.is_discarded()) return corrupt(subject, "not-json", "it is not JSON, or cut off");
  if (!object.is_object()) return corrupt(subject, "not-a-state", "it is not one JSON object");
  AgentState state{.type = text_of(object, "type"),
                   .issue = text_of(object, "issue"),
                   .title = text_of(object, "issue_title"),
                   .session = text_of(object, "session_name"),
                   .started = text_of(object, "started_at"),
                   .ci_run = text_of(object, "ci_run_id_at_start")};
  const auto pid = object.find("pid");
  const bool has_pid = pid != object.end() && !pid->is_null();
  if (!has_pid && state.type.empty()) {
    return corrupt(subject, "not-a-state", "it has neither a `pid` nor a `type`");
  }
  if (!has_pid) return state;
  if (!pid->is_number_unsigned() || pid->get<std::uint64_t>() == 0 ||
      pid->get<std::uint64_t>() > std::numeric_limits<std::int32_t>::max()) {
    return corrupt(subject, "bad-pid", "its `pid` is not the number of a process");
  }
  state.pid = static_cast<std::int32_t>(pid->get<std::uint64_t>());
  return state;
}

}  // namespace holdfast
