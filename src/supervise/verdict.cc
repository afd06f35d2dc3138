// SPDX-License-Identifier: Apache-2.0
#include "supervise/verdict.h"

#include "format/session/outcome.h"

namespace holdfast::supervise {
namespace {

using Kind = os::StartFailure::Kind;
using How = os::ChildEnd::How;

void answer_not_started(Verdict& verdict, const RunReport& report) {
  verdict.state = SessionState::kFailed;
  verdict.exit_code.reset();  // the child's code was holdfast's, not the command's
  verdict.signal.reset();
  verdict.reason = reason::kNotStarted;
  if (report.start_failure) {
    if (report.start_failure->kind == Kind::kNotFound) verdict.reason = reason::kNotFound;
    if (report.start_failure->kind == Kind::kNotExecutable) verdict.reason = reason::kNotExecutable;
  } else if (report.fault) {
    verdict.reason = reason_not_started(report.fault->code);
  }
}

SessionState state_of(const RunReport& report) {
  if (report.supervisor_gone) return SessionState::kLost;
  if (report.deadline_fired) return SessionState::kTimedOut;
  if (report.verified && *report.verified != Verified::kConfirmed) return SessionState::kUnverified;
  if (!report.end) return SessionState::kLost;
  return report.end->how == How::kExited ? SessionState::kExited : SessionState::kKilled;
}

std::string_view reason_of(const RunReport& report) {
  if (!report.empty && !report.left_alone) return reason::kSurvivors;
  if (report.deadline_fired) {
    const bool other = report.ended_by == EndedBy::kIdle || report.ended_by == EndedBy::kBudget;
    return other ? name(report.ended_by) : reason::kDeadline;
  }
  if (report.verified && *report.verified != Verified::kConfirmed) {
    return *report.verified == Verified::kRefuted ? reason::kRefuted : reason::kUnverified;
  }
  if (report.fault) return reason_of_fault(report.fault->code);
  if (!report.end) return reason::kLost;
  return report.end->how == How::kExited ? reason::kExited : reason::kSignal;
}

}  // namespace

std::string_view name(Containment containment) {
  switch (containment) {
    case Containment::kSubreaper:
      return "subreaper";
    case Containment::kSubreaperByNumber:
      return "subreaper-by-number";
    case Containment::kPidNamespace:
      return "pidns";
    case Containment::kJob:
      return "job";
    case Containment::kCgroup:
      break;
  }
  return "cgroup";
}

std::string_view name(EndedBy by) {
  switch (by) {
    case EndedBy::kNobody:
      return "";
    case EndedBy::kDeadline:
      return reason::kDeadline;
    case EndedBy::kIdle:
      return reason::kIdle;
    case EndedBy::kStop:
      return reason::kStopped;
    case EndedBy::kLost:
      return reason::kLost;
    case EndedBy::kFault:
      return reason::kFault;
    case EndedBy::kBudget:
      return reason::kBudget;
    case EndedBy::kOwner:
      break;
  }
  return reason::kOwnerGone;
}

std::string_view name(By by) { return by == By::kHoldfast ? "holdfast" : "command"; }

Verdict judge(const RunReport& report) {
  Verdict verdict;
  verdict.state = state_of(report);
  if (report.end) {
    (report.end->how == How::kExited ? verdict.exit_code : verdict.signal) = report.end->value;
  }
  if (report.supervisor_gone) {
    verdict.reason = reason::kLost;
  } else if (report.start_failure || !report.started) {
    answer_not_started(verdict, report);
  } else {
    verdict.reason = reason_of(report);
  }
  const Outcome outcome = *outcome_of({.state = verdict.state,
                                       .reason = verdict.reason,
                                       .exit_code = verdict.exit_code,
                                       .signal = verdict.signal});
  verdict.code = outcome.code;
  verdict.by = outcome.by_command ? By::kCommand : By::kHoldfast;
  return verdict;
}

}  // namespace holdfast::supervise
