// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_intent.h"

#include "base/cause.h"
#include "format/text/rfc3339.h"
#include "loop/notice/notice.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::loop {
namespace {

std::unexpected<Error> not_now(const StepName& name, StepAnswer answer) {
  return fail(
      {.code = ErrorCode::kBusy,
       .op = "begin",
       .subject = "'" + name.session() + "'",
       .cause = std::string(kStepNotNow),
       .detail = "it is not its time (" + std::string(to_text(answer)) + "); nothing was started"});
}

OnTheWay on_the_way(proc::Life supervisor, NameHeld name) {
  if (name == NameHeld::kYes || supervisor == proc::Life::kDead) return OnTheWay::kNobody;
  return supervisor == proc::Life::kLive ? OnTheWay::kItsSupervisor : OnTheWay::kCannotTell;
}

void settle_status(StepStatus& status, std::optional<SessionRecord> session, const TimeMark& now) {
  if (status.fate == IntentFate::kNever) return settle_as_never(status.record);
  const StepPending& pending = *status.record.pending;
  const bool tried = !session || was_tried(*session);
  const StepEnd end = end_of(pending, session);
  const TimeMark at = end_moment(pending, end, now);
  status.end = end;
  settle(status.record, end, at, tried);
}

}  // namespace

Result<> StepIntent::admit(const Id128& run) {
  const TimeMark now = HF_TRY(moment_now(services_.clock));
  StepHold hold = HF_TRY(StepHold::take(services_.steps, name_));
  StepStatus status =
      HF_TRY(step_status(services_.sessions, hold.record().value_or(fresh_step(name_, now.wall)),
                         now, NameHeld::kYes));
  // Under the lock of the name nothing of an earlier run is under way but what outlived its lock.
  if (is_claimed(status.fate)) return fail(claimed_error(name_, status));
  const StepDecision decision = decide(status.record, request_, now);
  if (decision.answer != StepAnswer::kGo) {
    if (status.changed()) HF_TRY(hold.write(status.record, os::Durability::kFull));
    return not_now(name_, decision.answer);
  }
  StepRecord next = status.record;
  StepPending pending{.run = run, .since = now};
  pending.by = proc::to_record(HF_TRY(proc::own_identity()));
  pending.retry_wait = retry_wait(next, request_);
  pending.repeats = decision.repeats;
  if (next.unsure && request_.refuted == next.unsure->run) next.unsure.reset();
  if (request_.kind == StepKind::kAttempt) next.max = request_.max;
  note_lapse(next, request_);
  if (request_.kind == StepKind::kNotify) {
    Notice notice = take_notice(next, request_, now);
    HF_TRY(hold.write_text(notice.message));
    pending.notice = std::move(notice.bundle);
  }
  next.pending = std::move(pending);
  HF_TRY(hold.write(next, os::Durability::kFull));
  if (status.end) {
    tell_step(services_.events, event_of(*status.end), name_, status.end, "found-later");
  }
  tell_step(services_.events, decision.repeats ? "step.repeated" : "step.claimed", name_, {});
  return {};
}

void StepIntent::reserved(const SessionRecord& record) {
  auto hold = StepHold::take(services_.steps, name_);
  if (!hold || !hold->record() || !hold->record()->pending) return;
  StepRecord next = *hold->record();
  if (next.pending->run != record.run) return;
  next.pending->reserved = true;
  const auto written = hold->write(next, os::Durability::kNone);
  static_cast<void>(written);  // the session's record says it too
}

void StepIntent::ended(const SessionRecord& record) {
  auto hold = StepHold::take(services_.steps, name_);
  const auto now = moment_now(services_.clock);
  if (!hold || !now || !hold->record() || !hold->record()->pending) return;
  if (hold->record()->pending->run != record.run) return;
  StepRecord next = *hold->record();
  const StepEnd end = end_of(*next.pending, record);
  settle(next, end, *now, was_tried(record));
  const auto written = hold->write(next, os::Durability::kFull);
  if (name_.kind == StepKind::kNotify) {
    const auto removed = hold->remove_text();
    static_cast<void>(removed);  // the next one replaces it
  }
  // Not written: whoever looks next counts it, from the session's record.
  if (written) tell_step(services_.events, event_of(end), name_, end);
}

Result<bool> StepIntent::has_begun(const Id128& run) {
  const auto record = HF_TRY(services_.steps.read(name_));
  return record && record->pending && record->pending->run == run && record->pending->reserved;
}

Result<StepStatus> step_status(const session::SessionStore& sessions, StepRecord record,
                               const TimeMark& now, NameHeld name) {
  StepStatus status{.record = std::move(record)};
  if (!status.record.pending) return status;
  const StepPending& pending = *status.record.pending;
  const proc::LifeVerdict supervisor = proc::judge(proc::from_record(pending.by));
  session::Trace trace = HF_TRY(session::trace_of(
      sessions, step_session(status.record.step, status.record.key), pending.run));
  status.fate = fate_of(trace, pending.reserved, on_the_way(supervisor.life, name));
  status.evidence = trace.view ? trace.view->evidence : supervisor.evidence;
  status.by = trace.view ? trace.view->record.supervisor : pending.by;
  if (is_claimed(status.fate)) return status;
  std::optional<SessionRecord> session;
  if (trace.view) {
    session = std::move(trace.view->record);
    session->state = trace.view->state;  // what is true now: `lost` is not always written down
  }
  settle_status(status, std::move(session), now);
  return status;
}

StepRecord fresh_step(const StepName& name, WallTime now) {
  return {.step = name.kind, .key = name.key, .created = now};
}

Error claimed_error(const StepName& name, const StepStatus& status) {
  const StepPending& pending = *status.record.pending;
  const std::string since = "since " + format_rfc3339(pending.since.wall);
  const std::string session = "'" + name.session() + "'";
  Error error{.code = ErrorCode::kBusy,
              .op = "begin",
              .subject = session,
              .cause = cause::kStepClaimed,
              .detail = {}};
  switch (status.fate) {
    case IntentFate::kOrphanLives:
      error.cause = "step-orphaned";
      error.detail = "its supervisor is dead, and processes of it run " + since +
                     "; `holdfast adopt " + session + "` takes them over, `holdfast stop " +
                     session + "` ends them";
      break;
    case IntentFate::kOrphanUnproven:
      error.code = ErrorCode::kCannotTell;
      error.cause = "step-orphaned";
      error.detail =
          "its supervisor is dead, and whether processes of it still run is not "
          "proven; `holdfast adopt " +
          session + "` takes it over, `holdfast stop " + session + "` ends it";
      break;
    case IntentFate::kUnknown:
      error.code = ErrorCode::kCannotTell;
      error.cause = "step-unknown";
      error.detail = "whether process " + std::to_string(status.by.pid) + ", which has it " +
                     since + ", still works on it cannot be told from here (" + status.evidence +
                     ")";
      break;
    default:
      error.detail = "process " + std::to_string(status.by.pid) + " has it " + since +
                     "; `holdfast show " + session + "` tells more";
      break;
  }
  error.detail += "; nothing was started";
  return error;
}

std::string_view event_of(const StepEnd& end) {
  return has_succeeded(end) ? "step.done" : "step.failed";
}

void tell_step(EventSink& events, std::string_view type, const StepName& name,
               const std::optional<StepEnd>& end, std::string_view reason) {
  EventData data;
  data.text("step", std::string(to_text(name.kind))).text("key", name.key);
  if (end) data.text("state", std::string(to_text(end->state)));
  if (end && end->exit_code) data.number("exit_code", *end->exit_code);
  if (end && end->signal) data.number("signal", *end->signal);
  if (!reason.empty()) data.text("reason", std::string(reason));
  const auto told = events.record({.type = type, .data = std::move(data)});
  static_cast<void>(told);  // the step goes on; its record has it too
}

}  // namespace holdfast::loop
