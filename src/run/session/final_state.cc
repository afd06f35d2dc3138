// SPDX-License-Identifier: Apache-2.0
#include "run/session/final_state.h"

#include "format/session/outcome.h"
#include "session/record/transition.h"
#include "supervise/verdict.h"

namespace holdfast::run {
namespace {

using session::Event;
using supervise::Verified;

Event event_of(const SessionRecord& record, const supervise::TreeReport& report,
               const supervise::Verdict& verdict) {
  if (record.state == SessionState::kVerifying)
    return report.verified == Verified::kConfirmed ? Event::kConfirmed : Event::kRefuted;
  switch (verdict.state) {
    case SessionState::kFailed:
      return Event::kCouldNotStart;
    case SessionState::kTimedOut:
      return Event::kTimedOut;
    case SessionState::kKilled:
      return Event::kKilled;
    case SessionState::kExited:
    case SessionState::kUnverified:
      return Event::kExited;
    default:
      break;
  }
  return Event::kBeingEnded;
}

}  // namespace

supervise::RunReport to_run_report(const supervise::TreeReport& report) {
  supervise::CommandFacts command;
  if (!report.commands.empty()) command = report.commands.front();
  return {static_cast<const supervise::TreeFacts&>(report), command};
}

bool claims_success(const supervise::TreeReport& report) {
  const supervise::Verdict verdict = supervise::judge(to_run_report(report));
  return verdict.by == supervise::By::kCommand && verdict.code == 0 &&
         report.ended_by == supervise::EndedBy::kNobody;
}

void note_outcome(SessionRecord& record, const supervise::TreeReport& report) {
  const supervise::Verdict verdict = supervise::judge(to_run_report(report));
  record.ended = report.ended;
  record.exit_code = verdict.exit_code;
  record.signal = verdict.signal;
  record.reason = std::string(verdict.reason);
  if (verdict.by == supervise::By::kCommand && report.ended_by != supervise::EndedBy::kNobody)
    record.reason = std::string(name(report.ended_by));
  if (report.fault) record.detail = to_sentence(*report.fault);
  if (report.oom_killed > 0) {
    if (record.signal == os::kSignalKill) record.reason = reason::kOutOfMemory;
    record.detail = "the kernel killed " + std::to_string(report.oom_killed) +
                    (report.oom_killed == 1 ? " process" : " processes") + " at the memory limit";
  }
  for (const supervise::Survivor& survivor : report.survivors) {
    record.survivors.push_back(std::to_string(os::number(survivor.pid)) + " (" + survivor.name +
                               ")");
  }
  const bool left = report.started && !report.empty && !report.left_alone;
  const Event event = left ? Event::kBeingEnded : event_of(record, report, verdict);
  record.state = session::next(record.state, event).value_or(record.state);
  if (record.state == SessionState::kFailed) {
    record.started.reset();
    record.command.reset();
  }
}

}  // namespace holdfast::run
