// SPDX-License-Identifier: Apache-2.0
//
// StepIntent: the intent of a step (loop/intent/intent.h), in its record; and what the record is
// once the run that it intends is counted.
//
// There is no driver: the supervisor writes the intent, with its own identity, and counts the end.
//
//   admit()      under the step's lock: reads, settles what was pending, decides again, and writes
//                the intent, durably. Any answer but "go" is kBusy `step-not-now`.
//   reserved()   notes in the intent that the session's record is there. Not synced: a power cut
//                that takes it leaves the session's record, which says the same.
//   ended()      under the step's lock: counts the outcome, durably.
//
// What is claimed is 75, and 69 where nobody can tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "format/loop/step_record.h"
#include "loop/intent/intent.h"
#include "loop/step/step_decide.h"
#include "loop/step/step_store.h"
#include "session/record/store.h"

namespace holdfast::loop {

inline constexpr std::string_view kStepNotNow = "step-not-now";

struct StepServices {
  const Clock& clock;
  EventSink& events;
  const session::SessionStore& sessions;
  const StepStore& steps;
};

class StepIntent final : public IntentStore {
 public:
  StepIntent(const StepServices& services, const StepRequest& request)
      : services_(services), request_(request), name_{.kind = request.kind, .key = request.key} {}

  Result<> admit(const Id128& run) override;
  void reserved(const SessionRecord& record) override;
  void ended(const SessionRecord& record) override;
  Result<bool> has_begun(const Id128& run) override;

 private:
  const StepServices& services_;
  const StepRequest& request_;
  StepName name_;
};

// Who holds the lock of the session's name need not judge anybody: the supervisor that wrote the
// intent held it from before the intent until after its last record.
enum class NameHeld : std::uint8_t { kNo, kYes };

struct StepStatus {
  StepRecord record{};  // settled, but where the fate is_claimed
  IntentFate fate = IntentFate::kNone;
  std::optional<StepEnd> end{};  // that was counted now: not yet in the file
  std::string evidence{};        // of is_claimed: a stable word
  ProcessIdentity by{};          // of is_claimed: its supervisor, or who has adopted it

  [[nodiscard]] bool changed() const {
    return fate == IntentFate::kOver || fate == IntentFate::kGone || fate == IntentFate::kNever;
  }
};

// Nothing is written. Errors: of session/record/view.h: a session that cannot be read is never
// "none".
Result<StepStatus> step_status(const session::SessionStore& sessions, StepRecord record,
                               const TimeMark& now, NameHeld name);

// The record of a step that was never run.
StepRecord fresh_step(const StepName& name, WallTime now);

// 75 or 69, for a fate that is_claimed: who has it, and what a person can do.
Error claimed_error(const StepName& name, const StepStatus& status);

// What happened to a step, for the journal. `type` is one of step.…
void tell_step(EventSink& events, std::string_view type, const StepName& name,
               const std::optional<StepEnd>& end, std::string_view reason = {});
// The event of an end that was counted.
std::string_view event_of(const StepEnd& end);

}  // namespace holdfast::loop
