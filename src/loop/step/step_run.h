// SPDX-License-Identifier: Apache-2.0
//
// run_step: one call of `once`, `attempt` or `notify`.
//
// The order: the record is read and decided on, without a lock and without a process (most calls
// end here); else a run is started under the name KIND:KEY, whose supervisor decides again and puts
// the intent on record before anything is let go (step_intent.h). What the supervisor decides
// otherwise is decided anew from here.
//
// Guarantees: never two runs of one key at a time. A run that began is counted once, whoever dies
// when. "Done" is said only of a run that exited with 0 unasked and was not refuted, or where the
// verification said so. A text of `notify` that is not sent now is kept or counted.
//
// Errors: what could not be decided; nothing was started then.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "loop/intent/question.h"
#include "loop/notice/notice.h"
#include "loop/step/step_decide.h"
#include "loop/step/step_intent.h"
#include "run/session/order.h"
#include "run/session/start.h"

namespace holdfast::loop {

struct StepRunRequest {
  StepRequest step{};
  // Its name and the id of the run are set here. `name_wait` is for another one that works on the
  // same step; what that one leaves is decided on anew.
  run::RunOrder run{};
  // Whether a run with an unknown outcome did its work.
  std::optional<Question> verify{};
};

struct StepOutcome {
  enum class Kind : std::uint8_t {
    kRan,   // `started` tells
    kDone,  // before
    kWait,  // until decision.next
    kExhausted,
    kSuppressed,
    kClaimed,     // `why`: kBusy, or kCannotTell
    kCannotTell,  // `why`: the verification could not
  };
  Kind kind = Kind::kRan;
  StepDecision decision{};
  StepRecord record{};  // as it was decided on; after a run, as it is now
  TimeMark now{};       // when
  std::optional<run::Started> started{};
  std::optional<Error> why{};
  std::optional<ProcessIdentity> claimed_by{};
  std::optional<Keeping> keeping{};     // notify: of a text that could not be sent now
  std::optional<StepEnd> found_lost{};  // an earlier run whose outcome nobody knows, met just now
};

// `services` is the run's own: its sessions and locks are there, its guard is set here.
Result<StepOutcome> run_step(const run::Services& services, const StepStore& steps,
                             StepRunRequest request);

// The same for who needs no more than the record: done, waiting (but `notify`, which has a text to
// keep then) or exhausted, as it stands there.
// nullopt: run_step has to be asked. Nothing is written.
Result<std::optional<StepOutcome>> peek_step(const Clock& clock, const StepStore& steps,
                                             const StepRequest& request);

}  // namespace holdfast::loop
