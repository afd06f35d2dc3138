// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_forget.h"

#include "loop/step/step_decide.h"
#include "session/record/view.h"

namespace holdfast::loop {
namespace {

Result<bool> retire_step(const StepServices& services, const StepName& name, Duration idle) {
  StepHold hold = HF_TRY(StepHold::take(services.steps, name));
  const TimeMark now = HF_TRY(moment_now(services.clock));
  if (!hold.record() || !has_lapsed(*hold.record(), idle, now)) return false;
  EventData data;
  data.text("step", std::string(to_text(name.kind))).text("key", name.key).text("reason", "lapsed");
  HF_TRY(services.events.record({.type = "step.forgotten", .data = std::move(data)}));
  HF_TRY(hold.remove());
  return true;
}

// Without the step's record only its session can say whether a run of it is under way.
Result<> require_over(const StepServices& services, const StepName& name) {
  const auto dir = HF_TRY(services.sessions.find(name.session()));
  const auto view = dir ? HF_TRY(session::look(*dir)) : std::nullopt;
  if (!view || (view->known && is_final(view->state))) return {};
  return fail({.code = view->known ? ErrorCode::kBusy : ErrorCode::kCannotTell,
               .op = "forget",
               .subject = "'" + name.session() + "'",
               .cause = "step-claimed",
               .detail = "its record cannot be read, and its session is " +
                         session::state_word(*view) + "; nothing was changed"});
}

// A person's word on a step whose record cannot be read: it is kept beside its place as
// `KIND:KEY.damaged-<hex id>`, escaped. What it counted is lost with it. False: the record can be
// read, or there is none.
Result<bool> forget_damaged_step(const StepServices& services, const StepName& name,
                                 const std::string& reason) {
  return StepHold::put_damaged_aside(services.steps, name, [&]() -> Result<> {
    HF_TRY(require_over(services, name));
    EventData data;
    data.text("step", std::string(to_text(name.kind))).text("key", name.key);
    data.text("evidence", "damaged-record");
    if (!reason.empty()) data.text("reason", reason);
    HF_TRY(services.events.record(
        {.type = "step.forgotten", .data = std::move(data), .at_least = EventClass::kDecision}));
    return {};
  });
}

}  // namespace

Result<StepRecord> forget_step(const StepServices& services, const StepName& name,
                               const std::string& reason) {
  if (HF_TRY(forget_damaged_step(services, name, reason))) {
    return fresh_step(name, services.clock.wall());
  }
  StepHold hold = HF_TRY(StepHold::take(services.steps, name));
  if (!hold.record()) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "forget",
                 .subject = "'" + name.session() + "'",
                 .cause = "no-such-step",
                 .detail = "nothing is known of it"});
  }
  const TimeMark now = HF_TRY(moment_now(services.clock));
  const StepStatus status =
      HF_TRY(step_status(services.sessions, *hold.record(), now, NameHeld::kNo));
  if (is_claimed(status.fate)) {
    Error error = claimed_error(name, status);
    error.op = "forget";
    return fail(std::move(error));
  }
  EventData data;
  data.text("step", std::string(to_text(name.kind))).text("key", name.key);
  if (!reason.empty()) data.text("reason", reason);
  HF_TRY(services.events.record({.type = "step.forgotten", .data = std::move(data)}));
  HF_TRY(hold.remove());
  return status.record;
}

Result<RetiredSteps> retire_lapsed_steps(const StepServices& services, Duration idle,
                                         const std::function<bool()>& go_on) {
  RetiredSteps done;
  const TimeMark now = HF_TRY(moment_now(services.clock));
  for (const StepKind kind : {StepKind::kOnce, StepKind::kNotify}) {
    for (const StepStore::Listed& listed : HF_TRY(services.steps.list(kind))) {
      if (!go_on()) return done;
      if (!listed.record || !has_lapsed(*listed.record, idle, now)) continue;
      const auto retired = retire_step(services, {.kind = kind, .key = listed.key}, idle);
      if (!retired) {
        done.failed.push_back(to_sentence(retired.error()));
      } else if (*retired) {
        ++done.records;
      }
    }
  }
  return done;
}

}  // namespace holdfast::loop
