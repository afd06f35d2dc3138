// SPDX-License-Identifier: Apache-2.0
//
// One iteration: started with an intent on record, and what became of it.
//
// The hostile interleaving is that of act.h, and so is what closes it. The driver writes the
// intent, forks the supervisor and is killed; the next driver finds the intent and no run. The
// supervisor, under the lock of the session's name and before its first record, looks whether the
// lock of the series is still the one that it was started under, and writes `begun` into the
// intent, durably; if either fails, nothing is started. The next driver has that lock with another
// token, and takes the lock of the name before it says "never began": whoever was inside is out by
// then and on record, and whoever comes later is refused. What is `begun` and has left no record is
// lost, and never run again as if nothing had been.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/result.h"
#include "format/session/series_record.h"
#include "lock/grant/backend.h"
#include "loop/item/act.h"
#include "run/session/order.h"
#include "run/session/start.h"

namespace holdfast::loop {

// `intended` is the series' record with the intent of order.run, and is on the disk. `held` is the
// lock of the series. Errors: of run/session/start.h.
//
// A clean-up may take the directory of a session whose last run is over, and the record with it,
// while the supervisor waits for the name. Whoever drives the series wants it all the same: as long
// as its lock is held by the same token, a record that is gone is written again.
Result<run::Started> start_iteration(const LoopServices& services, lock::Lock& held,
                                     const run::RunOrder& order, const SeriesRecord& intended);

// What became of an intended iteration.
struct IterationFate {
  enum class Kind : std::uint8_t {
    kEnded,     // `end`, with its true state; kLost where nobody saw how
    kNever,     // proven: nothing of it ran, and nothing will
    kUnderWay,  // `why`: kBusy
    kUnclear,   // `why`: kCannotTell, or kBusy: somebody else has the session's name
  };
  Kind kind = Kind::kUnclear;
  SeriesEnd end{};
  std::optional<Error> why{};
};

// Errors: of session/record/view.h: a session that cannot be read is never "never".
Result<IterationFate> fate_of_iteration(const LoopServices& services, const std::string& name,
                                        const SeriesPending& pending);

}  // namespace holdfast::loop
