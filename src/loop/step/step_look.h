// SPDX-License-Identifier: Apache-2.0
//
// What became of the run that a step's record intends, and the record as it is with that counted.
//
//   fate              from the session of the run (session/record/view.h)           then
//   kNone             there is no pending run                                 decide
//   kOver             its last word is on record                              counted
//   kGone             it was on record, and the record is gone                counted as lost
//   kNever            it left no record, and never will                       not counted
//   kLive             its supervisor lives                                    claimed: 75
//   kOrphanLives      its supervisor is dead, and something of it runs        claimed: 75
//   kOrphanUnproven   its supervisor is dead; whether something runs is       69
//                     not known
//   kUnknown          nothing can be told from here                           69
//
// The hostile interleaving of "kNever". A supervisor writes the intent and is on its way to the
// first record of its session. We look for that record, find none; the supervisor writes it, lets
// the command go and dies; we look at the supervisor, find it dead, and conclude that nothing ran.
// So the supervisor is judged first and the session looked at then: of a dead one there is all that
// there will ever be. Who holds the lock of the session's name (step_guard.h) need not judge
// anybody: the supervisor that wrote the intent held it from before the intent until after its last
// record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "format/loop/step_record.h"
#include "loop/step/step_decide.h"
#include "loop/step/step_store.h"
#include "proc/identity/verdict.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::loop {

enum class PendingFate : std::uint8_t {
  kNone,
  kOver,
  kGone,
  kNever,
  kLive,
  kOrphanLives,
  kOrphanUnproven,
  kUnknown,
};
// Nobody may begin, or forget the step, while it is one of these.
inline bool is_claimed(PendingFate fate) { return fate >= PendingFate::kLive; }

enum class NameHeld : std::uint8_t { kNo, kYes };

// Pure.
PendingFate fate_of(const StepPending& pending, const session::Trace& trace, proc::Life supervisor,
                    NameHeld name);

struct StepLook {
  StepRecord record{};  // settled, but where the fate is_claimed
  PendingFate fate = PendingFate::kNone;
  std::optional<StepEnd> end{};  // that was counted now: not yet in the file
  std::string evidence{};        // of is_claimed: a stable word
  ProcessIdentity by{};          // of is_claimed: its supervisor, or who has adopted it

  [[nodiscard]] bool changed() const {
    return fate == PendingFate::kOver || fate == PendingFate::kGone || fate == PendingFate::kNever;
  }
};

// Nothing is written. Errors: of session/record/view.h: a session that cannot be read is never "none".
Result<StepLook> look_at_step(const session::SessionStore& sessions, StepRecord record,
                              const TimeMark& now, NameHeld name);

// The record of a step that was never run.
StepRecord fresh_step(const StepName& name, WallTime now);

Result<TimeMark> moment_now(const Clock& clock);

// 75 or 69, for a fate that is_claimed: who has it, and what a person can do.
Error claimed_error(const StepName& name, const StepLook& look);

}  // namespace holdfast::loop
