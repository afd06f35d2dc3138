// SPDX-License-Identifier: Apache-2.0
#include "session/record/exit_code.h"

#include "base/exit_code.h"

namespace holdfast::session {
namespace {

Answer own(ExitCode code) { return {.code = to_int(code), .by_command = false}; }
Answer commands(int code) { return {.code = code, .by_command = true}; }

ExitCode of_failure(const SessionRecord& record) {
  if (record.reason == "not-found") return ExitCode::kCommandNotFound;
  if (record.reason == "not-executable") return ExitCode::kNotExecutable;
  return ExitCode::kWrapperFailed;
}

}  // namespace

std::optional<Answer> answer_of(SessionState state, const SessionRecord& record) {
  switch (state) {
    case SessionState::kReserved:
    case SessionState::kStarting:
    case SessionState::kRunning:
    case SessionState::kStopping:
    case SessionState::kVerifying:
    case SessionState::kOrphaned:
      return std::nullopt;
    case SessionState::kExited:
      return record.exit_code ? commands(*record.exit_code) : own(ExitCode::kCannotTell);
    case SessionState::kKilled:
      return record.signal ? commands(exit_status_of_signal(*record.signal))
                           : own(ExitCode::kCannotTell);
    case SessionState::kFailed:
      return own(of_failure(record));
    case SessionState::kTimedOut:
      return own(ExitCode::kDeadline);
    case SessionState::kUnverified:
      return own(ExitCode::kUnproven);
    case SessionState::kLost:
      break;
  }
  return own(ExitCode::kCannotTell);
}

}  // namespace holdfast::session
