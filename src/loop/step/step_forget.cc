// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_forget.h"

#include "loop/step/step_decide.h"

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

}  // namespace

Result<StepRecord> forget_step(const StepServices& services, const StepName& name,
                               const std::string& reason) {
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
  for (const StepKind kind : {StepKind::kOnce, StepKind::kNotify, StepKind::kTick}) {
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
