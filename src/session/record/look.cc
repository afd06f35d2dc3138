// SPDX-License-Identifier: Apache-2.0
#include "session/record/look.h"

#include "base/cause.h"

namespace holdfast::session {

Result<std::optional<SessionView>> look(const SessionDir& dir) {
  // Each round but the last ends because somebody else wrote in between.
  constexpr int kMostRounds = 16;
  auto record = HF_TRY(dir.read());
  for (int round = 0; record; ++round) {
    SessionView view = look_at(*record);
    if (view.state == record->state || round == kMostRounds) return view;
    auto again = HF_TRY(dir.read());
    if (again == record) return view;
    record = std::move(again);
  }
  return std::nullopt;
}

Error no_such_session(const std::string& name) {
  return {.code = ErrorCode::kNotFound,
          .op = "find the session",
          .subject = "'" + name + "'",
          .cause = cause::kNoSuchSession,
          .detail =
              "no session of this name was ever run in this home; `holdfast ps --all` lists "
              "those that were"};
}

std::string state_word(const SessionView& view) {
  return std::string(to_text(view.state)) + (view.known ? "" : "?");
}

std::string lost_log_text(const SessionRecord& record) {
  if (record.log_lost == 0) return "";
  return "the log of '" + record.name + "' lacks " + std::to_string(record.log_lost) +
         " bytes that the command printed: they could not be written";
}

}  // namespace holdfast::session
