// SPDX-License-Identifier: Apache-2.0
#include "supervise/verdict.h"

#include "base/exit_code.h"
#include "proc/identity/exit_status.h"

namespace holdfast::supervise {
namespace {

using Kind = os::StartFailure::Kind;
using How = os::ChildEnd::How;

void answer(Verdict& verdict, ExitCode code, std::string_view reason) {
  verdict.by = By::kHoldfast;
  verdict.code = to_int(code);
  verdict.reason = reason;
}

void answer_not_started(Verdict& verdict, const RunReport& report) {
  verdict.state = RunState::kFailed;
  verdict.exit_code.reset();  // the child's code was holdfast's, not the command's
  verdict.signal.reset();
  const Kind kind = report.start_failure ? report.start_failure->kind : Kind::kNotReached;
  switch (kind) {
    case Kind::kNotFound:
      return answer(verdict, ExitCode::kCommandNotFound, "not-found");
    case Kind::kNotExecutable:
      return answer(verdict, ExitCode::kNotExecutable, "not-executable");
    case Kind::kNoDirectory:
    case Kind::kNotReached:
      break;
  }
  answer(verdict, ExitCode::kWrapperFailed, "not-started");
  if (!report.fault || report.start_failure) return;
  // What somebody can act on keeps its code; holdfast's own troubles are 125.
  const ExitCode code = info(report.fault->code).exit;
  const bool own =
      code == ExitCode::kInternal || code == ExitCode::kOsRefused || code == ExitCode::kIo;
  if (!own) answer(verdict, code, code == ExitCode::kBusy ? "busy" : "not-started");
}

RunState state_of(const RunReport& report) {
  if (report.supervisor_gone) return RunState::kLost;
  if (report.deadline_fired) return RunState::kTimedOut;
  if (report.verified && *report.verified != Verified::kConfirmed) return RunState::kUnverified;
  if (!report.end) return RunState::kLost;
  return report.end->how == How::kExited ? RunState::kExited : RunState::kKilled;
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
      return "deadline";
    case EndedBy::kIdle:
      return "idle";
    case EndedBy::kStop:
      return "stopped";
    case EndedBy::kLost:
      return "lost";
    case EndedBy::kFault:
      return "fault";
    case EndedBy::kBudget:
      break;
  }
  return "budget";
}

std::string_view name(By by) { return by == By::kHoldfast ? "holdfast" : "command"; }

std::string_view name(RunState state) {
  switch (state) {
    case RunState::kExited:
      return "exited";
    case RunState::kFailed:
      return "failed";
    case RunState::kTimedOut:
      return "timed_out";
    case RunState::kKilled:
      return "killed";
    case RunState::kUnverified:
      return "unverified";
    case RunState::kLost:
      break;
  }
  return "lost";
}

Verdict judge(const RunReport& report) {
  Verdict verdict;
  verdict.state = state_of(report);
  if (report.end) {
    (report.end->how == How::kExited ? verdict.exit_code : verdict.signal) = report.end->value;
  }
  if (report.supervisor_gone) {
    answer(verdict, ExitCode::kCannotTell, "lost");
    return verdict;
  }
  if (report.start_failure || !report.started) {
    answer_not_started(verdict, report);
  } else if (!report.empty && !report.left_alone) {
    answer(verdict, ExitCode::kSurvivors, "survivors");
  } else if (report.deadline_fired) {
    const bool other = report.ended_by == EndedBy::kIdle || report.ended_by == EndedBy::kBudget;
    answer(verdict, ExitCode::kDeadline, other ? name(report.ended_by) : "deadline");
  } else if (report.verified && *report.verified != Verified::kConfirmed) {
    answer(verdict, ExitCode::kUnproven,
           *report.verified == Verified::kRefuted ? "refuted" : "unverified");
  } else if (report.fault) {
    answer(verdict, info(report.fault->code).exit, "fault");
  } else if (report.end) {
    verdict.by = By::kCommand;
    verdict.code = proc::wrapper_exit_code(*report.end);
    verdict.reason = report.end->how == How::kExited ? "exited" : "signal";
  } else {
    answer(verdict, ExitCode::kCannotTell, "lost");
  }
  return verdict;
}

}  // namespace holdfast::supervise
