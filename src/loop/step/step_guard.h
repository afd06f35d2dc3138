// SPDX-License-Identifier: Apache-2.0
//
// StepGuard: the part of a step that happens in the supervisor of its run (run/session/guard.h), under the
// lock of the session's name.
//
//   admit()      under the step's lock: reads, settles what was pending, decides again, and writes
//                the intent, durably. Any answer but "go" is kBusy `step-not-now`.
//   reserved()   notes in the intent that the session's record is there. Not synced: a power cut
//                that takes it leaves the session's record, which says the same.
//   finished()   under the step's lock: counts the outcome, durably.
//
// Death between any two leaves the intent, and the session that tells the rest (step_look.h).
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "loop/step/step_decide.h"
#include "loop/step/step_look.h"
#include "loop/step/step_store.h"
#include "run/session/guard.h"
#include "session/record/store.h"

namespace holdfast::loop {

inline constexpr std::string_view kStepNotNow = "step-not-now";

struct StepServices {
  const Clock& clock;
  EventSink& events;
  const session::SessionStore& sessions;
  const StepStore& steps;
};

class StepGuard final : public run::RunGuard {
 public:
  StepGuard(const StepServices& services, const StepAsk& ask, const Id128& run)
      : services_(services), ask_(ask), name_{.kind = ask.kind, .key = ask.key}, run_(run) {}

  Result<> admit(const std::optional<SessionRecord>& last) override;
  void reserved(const SessionRecord& record) override;
  void finished(const SessionRecord& record) override;

 private:
  const StepServices& services_;
  const StepAsk& ask_;
  StepName name_;
  Id128 run_;
};

// What happened to a step, for the journal. `type` is one of step.… or tick.skipped.
void tell_step(EventSink& events, std::string_view type, const StepName& name,
               const std::optional<StepEnd>& end, std::string_view reason = {});
// The event of an end that was counted.
std::string_view event_of(const StepEnd& end);

}  // namespace holdfast::loop
