// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_answer.h"

#include "base/cause.h"
#include "base/units.h"
#include "cli/session/run_answer.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

using StepAnswerKind = loop::StepOutcome::Kind;

std::string quoted_session(const loop::StepRequest& request) {
  return "'" + step_session(request.kind, request.key) + "'";
}

void set_code(StepAnswered& answer, ExitCode code, std::string_view decision) {
  answer.decision = decision;
  answer.verdict.by = supervise::By::kHoldfast;
  answer.verdict.code = to_int(code);
  answer.verdict.reason = decision;
}

std::string when(const DueTime& due, const TimeMark& now) {
  const Duration left = std::chrono::ceil<std::chrono::seconds>(left_of(due, now));
  return format_rfc3339(wall_of(due, now)) + " (in " + format_duration(left) + ")";
}

// As it is on record now; none where there will be no other.
std::optional<DueTime> next_of(const loop::StepOutcome& outcome, const loop::StepRequest& request) {
  const bool over = request.kind == StepKind::kAttempt && outcome.record.failures >= request.max;
  if (over || outcome.kind == StepAnswerKind::kExhausted) return std::nullopt;
  return outcome.decision.next ? outcome.decision.next : outcome.record.next;
}

bool may_have_arrived(const StepRecord& record) {
  return record.step == StepKind::kNotify && !record.pending && !record.sent.empty() &&
         record.sent.back().unsure;
}

void note_failure(StepAnswered& answer, const loop::StepOutcome& outcome,
                  const loop::StepRequest& request) {
  const StepRecord& record = outcome.record;
  if (may_have_arrived(record) && answer.note.empty()) {
    answer.note =
        "the notice may have been sent; holdfast does not send it again, and the next notice says "
        "so";
    return;
  }
  if (record.pending || record.done || record.failures == 0 || !answer.note.empty()) return;
  if (request.kind == StepKind::kNotify && !record.kept.texts.empty() && record.next) {
    answer.note = "the notice was not sent; it is kept, and the next `holdfast notify` after " +
                  when(*record.next, outcome.now) + " sends it";
  }
  if (request.kind != StepKind::kAttempt) return;
  answer.note = "attempt " + std::to_string(record.failures) + " of " +
                std::to_string(request.max) + " failed";
  if (record.failures >= request.max) {
    answer.note += "; there will be no other";
  } else if (record.next && left_of(*record.next, outcome.now) > Duration::zero()) {
    answer.note += "; the next one not before " + when(*record.next, outcome.now);
  }
}

// What became of a text that was not sent now.
std::string_view keeping_text(const loop::StepOutcome& outcome) {
  if (!outcome.keeping) return "";
  return *outcome.keeping == loop::Keeping::kKept
             ? "; the text is kept, and goes out with the next one that is sent"
             : "; the text is known already, and was counted";
}

// A command that is told to end and exits with 0 has not done its work, unless its verification saw
// it done.
void answer_asked(StepAnswered& answer, const run::Started& started) {
  const supervise::RunReport& report = *started.report;
  const supervise::EndedBy by = report.ended_by;
  const bool ended = by == supervise::EndedBy::kStop || by == supervise::EndedBy::kLost;
  const bool asked = report.asked && report.verified != supervise::Verified::kConfirmed;
  if ((!ended && !asked) || answer.verdict.code != 0) return;
  const int signal = report.asked.value_or(started.asked_to_end.value_or(os::kSignalTerm));
  answer.verdict.by = supervise::By::kHoldfast;
  answer.verdict.code = exit_status_of_signal(signal);
  answer.verdict.reason = ended ? name(by) : "asked";
}

// Another one was, by a moment.
bool was_quicker(const supervise::RunReport& report) {
  return report.fault && report.fault->code == ErrorCode::kBusy && !report.started;
}

void answer_ran(StepAnswered& answer, const loop::StepOutcome& outcome,
                const loop::StepRequest& request, const std::string& command) {
  const supervise::RunReport& report = *outcome.started->report;
  answer.decision = "ran";
  answer.verdict = run::judge_started(*outcome.started);
  answer_asked(answer, *outcome.started);
  answer.error = run_error(report, answer.verdict, command);
  if (was_quicker(report)) {
    answer.error->detail += keeping_text(outcome);
    answer.decision = "wait";
    return;
  }
  if (outcome.decision.repeats) {
    answer.note = "how an earlier run of " + quoted_session(request) +
                  " ended is not known: it was run again";
  } else if (outcome.found_lost) {
    answer.note = "how the last run of " + quoted_session(request) + " ended is not known";
  }
  if (answer.verdict.code != 0) note_failure(answer, outcome, request);
}

void answer_wait(StepAnswered& answer, const loop::StepOutcome& outcome,
                 const loop::StepRequest& request) {
  set_code(answer, ExitCode::kBusy, "wait");
  answer.error =
      Error{.code = ErrorCode::kBusy,
            .op = "begin",
            .subject = quoted_session(request),
            .cause = cause::kNotYet,
            .detail = "it failed before, and is not tried before " +
                      when(*outcome.decision.next, outcome.now) + "; nothing was started"};
  answer.error->detail += keeping_text(outcome);
}

}  // namespace

std::string_view event_of(const loop::StepOutcome& outcome, StepKind kind) {
  bool claimed = outcome.kind == StepAnswerKind::kClaimed;
  if (outcome.kind == StepAnswerKind::kRan) {
    const supervise::RunReport& report = *outcome.started->report;
    claimed = was_quicker(report);
  }
  const bool held_back = outcome.kind == StepAnswerKind::kSuppressed ||
                         (outcome.kind == StepAnswerKind::kWait && kind == StepKind::kNotify);
  if (held_back) return "step.suppressed";
  const bool unusual = claimed || outcome.kind == StepAnswerKind::kCannotTell ||
                       outcome.kind == StepAnswerKind::kExhausted;
  return unusual ? "step.skipped" : "";
}

StepAnswered answer_of(const loop::StepOutcome& outcome, const loop::StepRequest& request,
                       const std::string& command) {
  StepAnswered answer;
  const auto failures = outcome.record.failures;
  switch (outcome.kind) {
    case StepAnswerKind::kRan:
      answer_ran(answer, outcome, request, command);
      break;
    case StepAnswerKind::kDone:
      set_code(answer, ExitCode::kDone, "skipped");
      answer.note = quoted_session(request) + " was done on " +
                    format_rfc3339(outcome.record.done->at.wall) + "; nothing was started";
      break;
    case StepAnswerKind::kSuppressed:
      set_code(answer, ExitCode::kDone, "suppressed");
      answer.note = "the same notice was sent before; it was held back and counted";
      break;
    case StepAnswerKind::kWait:
      answer_wait(answer, outcome, request);
      break;
    case StepAnswerKind::kExhausted:
      set_code(answer, ExitCode::kRefused, "exhausted");
      answer.error = Error{.code = ErrorCode::kRefused,
                           .op = "begin",
                           .subject = quoted_session(request),
                           .cause = "exhausted",
                           .detail = std::to_string(failures) +
                                     (failures == 1 ? " attempt has" : " attempts have") +
                                     " failed; `holdfast step forget` starts over; nothing was "
                                     "started"};
      break;
    case StepAnswerKind::kClaimed:
    case StepAnswerKind::kCannotTell:
      set_code(answer, info(outcome.why->code).exit, "wait");
      answer.error = outcome.why;
      answer.error->detail += keeping_text(outcome);
      break;
  }
  return answer;
}

Json step_fields(const loop::StepOutcome& outcome, const StepAnswered& answer,
                 const loop::StepRequest& request) {
  const StepRecord& record = outcome.record;
  const bool ran = answer.decision == "ran";
  const auto next = next_of(outcome, request);
  const bool waits = next && left_of(*next, outcome.now) > Duration::zero();
  const bool is_attempt = request.kind == StepKind::kAttempt;
  return {{"key", bytes_to_json(request.key)},
          {"decision", answer.decision},
          {"next", waits ? Json(format_rfc3339(wall_of(*next, outcome.now))) : Json(nullptr)},
          {"exit_code", ran ? or_null(answer.verdict.exit_code) : Json(nullptr)},
          {"signal", ran ? or_null(answer.verdict.signal) : Json(nullptr)},
          {"state", ran ? Json(to_text(answer.verdict.state)) : Json(nullptr)},
          {"session", bytes_to_json(step_session(request.kind, request.key))},
          {"attempts", record.failures},
          {"max", is_attempt ? Json(request.max) : Json(nullptr)},
          {"repeated", outcome.decision.repeats},
          {"claimed_by", outcome.claimed_by ? Json(outcome.claimed_by->pid) : Json(nullptr)}};
}

}  // namespace holdfast::cli
