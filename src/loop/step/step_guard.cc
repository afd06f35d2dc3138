// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_guard.h"

#include "loop/step/step_notice.h"
#include "proc/identity/identity.h"

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

}  // namespace

Result<> StepGuard::admit(const std::optional<SessionRecord>& /*last*/) {
  const TimeMark now = HF_TRY(moment_now(services_.clock));
  StepHold hold = HF_TRY(StepHold::take(services_.steps, name_));
  StepLook look =
      HF_TRY(look_at_step(services_.sessions, hold.record().value_or(fresh_step(name_, now.wall)),
                          now, NameHeld::kYes));
  // Under the lock of the name nothing of an earlier run is under way but what outlived its lock.
  if (is_claimed(look.fate)) return fail(claimed_error(name_, look));
  const StepDecision decision = decide(look.record, ask_, now);
  if (decision.answer != StepAnswer::kGo) {
    if (look.changed()) HF_TRY(hold.write(look.record, os::Durability::kFull));
    return not_now(name_, decision.answer);
  }
  StepRecord next = look.record;
  StepPending pending{.run = run_, .since = now};
  pending.by = proc::to_record(HF_TRY(proc::own_identity()));
  pending.retry_wait = retry_wait(next, ask_);
  pending.repeats = decision.repeats;
  if (next.unsure && ask_.refuted == next.unsure->run) next.unsure.reset();
  if (ask_.kind == StepKind::kAttempt) next.max = ask_.max;
  note_lapse(next, ask_);
  if (ask_.kind == StepKind::kNotify) {
    Notice notice = take_notice(next, ask_, now);
    HF_TRY(hold.write_text(notice.message));
    pending.notice = std::move(notice.bundle);
  }
  next.pending = std::move(pending);
  HF_TRY(hold.write(next, os::Durability::kFull));
  if (look.end) tell_step(services_.events, event_of(*look.end), name_, look.end, "found-later");
  tell_step(services_.events, decision.repeats ? "step.repeated" : "step.claimed", name_, {});
  return {};
}

void StepGuard::reserved(const SessionRecord& record) {
  auto hold = StepHold::take(services_.steps, name_);
  if (!hold || !hold->record() || !hold->record()->pending) return;
  StepRecord next = *hold->record();
  if (next.pending->run != record.run) return;
  next.pending->reserved = true;
  const auto written = hold->write(next, os::Durability::kNone);
  static_cast<void>(written);  // the session's record says it too
}

void StepGuard::finished(const SessionRecord& record) {
  if (!is_final(record.state)) return;  // something of it is left: it is not over
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
