// SPDX-License-Identifier: Apache-2.0
#include "cli/step/until_answer.h"

#include "base/units.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "os/sys/os_error.h"

namespace holdfast::cli {
namespace {

using UntilAnswerKind = loop::UntilOutcome::Kind;

std::string_view result_of(UntilAnswerKind kind) {
  switch (kind) {
    case UntilAnswerKind::kPass:
      return "pass";
    case UntilAnswerKind::kFail:
      return "fail";
    case UntilAnswerKind::kTimedOut:
      return "not-yet";
    case UntilAnswerKind::kCannotTell:
      return "unknown";
    case UntilAnswerKind::kNotStarted:
      return "not-started";
    case UntilAnswerKind::kAsked:
      return "interrupted";
  }
  return {};
}

int code_of_start(const os::StartFailure& failure) {
  if (failure.kind == os::StartFailure::Kind::kNotFound) return to_int(ExitCode::kCommandNotFound);
  if (failure.kind == os::StartFailure::Kind::kNotExecutable) {
    return to_int(ExitCode::kNotExecutable);
  }
  return to_int(ExitCode::kWrapperFailed);
}

std::string last_of(const loop::UntilOutcome& outcome) {
  if (outcome.last_code) return "exit code " + std::to_string(*outcome.last_code);
  if (outcome.last_signal) return "signal " + std::to_string(*outcome.last_signal);
  return "no answer in time";
}

}  // namespace

Json until_fields(const loop::UntilOutcome& outcome) {
  const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(outcome.waited);
  return {{"result", result_of(outcome.kind)},
          {"tries", outcome.tries},
          {"last_code", or_null(outcome.last_code)},
          {"last_signal", or_null(outcome.last_signal)},
          {"waited_ms", waited.count()}};
}

int say_until(Context& context, const loop::UntilOutcome& outcome,
              const loop::UntilRequest& request, bool by_budget) {
  const std::string subject = "'" + request.command.front() + "'";
  const std::string after = "after " + std::to_string(outcome.tries) +
                            (outcome.tries == 1 ? " try in " : " tries in ") +
                            format_duration(outcome.waited);
  Error error{.op = "get a yes from", .subject = subject};
  switch (outcome.kind) {
    case UntilAnswerKind::kPass:
      return to_int(ExitCode::kDone);
    case UntilAnswerKind::kFail:
      error.code = ErrorCode::kNotFound;
      error.cause = "definite-no";
      error.detail = last_of(outcome) + " says that it will not be, " + after;
      context.report(error);
      return to_int(ExitCode::kNo);
    case UntilAnswerKind::kTimedOut:
      error.code = ErrorCode::kBusy;
      error.cause = by_budget ? "budget" : "not-yet";
      error.detail = "it is not so yet (" + last_of(outcome) + "), " + after;
      context.report(error);
      return to_int(ExitCode::kDeadline);
    case UntilAnswerKind::kCannotTell:
      error.code = ErrorCode::kCannotTell;
      error.cause = by_budget ? "budget" : "no-answer";
      error.detail = "its last answer was none (" + last_of(outcome) + "), " + after;
      context.report(error);
      return to_int(ExitCode::kCannotTell);
    case UntilAnswerKind::kNotStarted:
      context.report(os::os_error("run", subject, outcome.start_failure->os_code));
      return code_of_start(*outcome.start_failure);
    case UntilAnswerKind::kAsked:
      return exit_status_of_signal(*outcome.interrupted);
  }
  return to_int(ExitCode::kInternal);
}

}  // namespace holdfast::cli
