// SPDX-License-Identifier: Apache-2.0
//
// trace_of: what became of a run that somebody intended.
//
// Whoever must know later whether its run took place chooses the run's id, writes it down, and
// starts the run with it. After a crash the id is looked for in the session of that name:
//
//   kNone      no run with this id is on record
//   kUnder     it is under way; its supervisor lives
//   kOrphaned  its supervisor is gone, and something of it may still run
//   kUnknown   whether it is over cannot be told from here
//   kOver      it is over; `view.record` is its last word, and `view.state` may be kLost: it is
//              gone, and nobody saw how it ended
//
// "Not on record" is not yet "never started": a supervisor that was forked may be on its way to its
// first record. Only who holds the lock of the name and knows that every such supervisor will be
// refused from now on (run/session/guard.h) may conclude that.
//
// Nothing is signalled and nothing is written. Errors: of session/record/store.h; a record that cannot be
// read is an Error and never kNone.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::session {

struct Trace {
  enum class Kind : std::uint8_t { kNone, kUnder, kOrphaned, kUnknown, kOver };
  Kind kind = Kind::kNone;
  std::optional<SessionView> view{};  // of all but kNone
};

// The newest run of the session, and those that are kept of the earlier ones, are looked at.
Result<Trace> trace_of(const SessionStore& sessions, std::string_view name, const Id128& run);

}  // namespace holdfast::session
