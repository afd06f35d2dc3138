// SPDX-License-Identifier: Apache-2.0
#include "format/session/outcome.h"

#include <algorithm>

namespace holdfast {
namespace {

Outcome own(ExitCode code) { return {.code = to_int(code), .by_command = false}; }

std::string_view name_of(ExitCode code) {
  return std::ranges::find(kExitCodes, code, &ExitCodeInfo::code)->name;
}

// nullopt: it is not the reason of an error.
std::optional<ExitCode> code_of_error(std::string_view why) {
  const auto* const found = std::ranges::find(
      kErrorCodes, why, [](const ErrorCodeInfo& one) { return name_of(one.exit); });
  if (found == kErrorCodes.end()) return std::nullopt;
  return found->exit;
}

Outcome of_failed_start(std::string_view why) {
  if (why == reason::kNotFound) return own(ExitCode::kCommandNotFound);
  if (why == reason::kNotExecutable) return own(ExitCode::kNotExecutable);
  if (why == reason::kSkipped) return own(ExitCode::kDone);
  if (why == reason::kStopped || why == reason::kOwnerGone) return own(ExitCode::kBusy);
  return own(code_of_error(why).value_or(ExitCode::kWrapperFailed));
}

Outcome of_end(const Ended& ended, std::optional<int> commands) {
  if (const auto failed = code_of_error(ended.reason)) return own(*failed);
  if (!commands) return own(ExitCode::kCannotTell);
  if (ended.lock_lost) return own(ExitCode::kUnproven);
  return {.code = *commands, .by_command = true};
}

}  // namespace

std::optional<Outcome> outcome_of(const Ended& ended) {
  if (!is_final(ended.state)) return std::nullopt;
  if (ended.reason == reason::kSurvivors) return own(ExitCode::kSurvivors);
  switch (ended.state) {
    case SessionState::kExited:
      return of_end(ended, ended.exit_code);
    case SessionState::kKilled:
      return of_end(
          ended, ended.signal ? std::optional(exit_status_of_signal(*ended.signal)) : std::nullopt);
    case SessionState::kFailed:
      return of_failed_start(ended.reason);
    case SessionState::kTimedOut:
      return own(ExitCode::kDeadline);
    case SessionState::kUnverified:
      return own(ExitCode::kUnproven);
    default:
      break;
  }
  return of_end(ended, std::nullopt);
}

std::optional<Outcome> outcome_of(SessionState state, const SessionRecord& record) {
  return outcome_of({.state = state,
                     .reason = record.reason,
                     .exit_code = record.exit_code,
                     .signal = record.signal});
}

Success success_of(const SessionRecord& record) {
  const auto outcome = outcome_of(record.state, record);
  if (!outcome || record.reason == reason::kSurvivors) return Success::kFailure;
  if (record.reason == reason::kSkipped) return Success::kStopped;
  const bool ends_when_asked =
      record.state != SessionState::kTimedOut && record.state != SessionState::kUnverified;
  if (record.asked && ends_when_asked && record.verified != true) return Success::kStopped;
  const bool done = outcome->code == 0 && record.reason != reason::kLost;
  return done ? Success::kSuccess : Success::kFailure;
}

SessionStreak streak_after(const SessionRecord& record) {
  SessionStreak streak = record.streak;
  switch (success_of(record)) {
    case Success::kStopped:
      break;
    case Success::kFailure:
      ++streak.failures;
      streak.failure_told = streak.failure_told || record.told;
      streak.success_due = true;
      break;
    case Success::kSuccess:
      // A recovery that could not be told is told by the next success.
      streak = {.success_due = streak.success_due && record.order.on_success && !record.told};
      break;
  }
  return streak;
}

bool is_news(const SessionRecord& record) {
  switch (success_of(record)) {
    case Success::kFailure:
      return !record.streak.failure_told;
    case Success::kSuccess:
      return record.streak.success_due;
    case Success::kStopped:
      break;
  }
  return false;
}

std::string_view reason_not_started(ErrorCode code) {
  const ExitCode exit = code_before_start(code);
  return exit == ExitCode::kWrapperFailed ? reason::kNotStarted : name_of(exit);
}

std::string_view reason_of_fault(ErrorCode code) { return name_of(info(code).exit); }

ExitCode code_before_start(ErrorCode code) {
  const ExitCode exit = info(code).exit;
  const bool own_trouble =
      exit == ExitCode::kInternal || exit == ExitCode::kOsRefused || exit == ExitCode::kIo;
  return own_trouble ? ExitCode::kWrapperFailed : exit;
}

}  // namespace holdfast
