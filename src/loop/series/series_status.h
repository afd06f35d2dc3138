// SPDX-License-Identifier: Apache-2.0
//
// How a series stands, for those who only look or wait, and who drives it, for those who stop it
// from outside. Changes nothing, but for end_driver.
//
// A session is a part of a series if the series' record names its run: as intended, or as counted.
// A plain run of the same name, before or after the series, is none; its own end is its end.
//
//   while (status.kind == kGoesOn) sleep until its driver ends or a file of the session changes
//
// Between two iterations nothing of the session lives, and nobody listens there: the driver pauses,
// or asks for the goal or the progress. It is found by the lock `series:NAME` and gets TERM, as by
// `kill`: then it ends what it asks or runs, and stops the series, which can be gone on with
// (series.h). It may be killed at any moment without harm, so no moment is wrong for that.
//
// Guarantees: kOver and kStopped are said only if nobody drove the series when its record was read,
// or if the record itself says that it is over. The driver is looked for before the record is read,
// so one that writes its last record and ends in between is seen as what it wrote. Nobody is
// signalled on the word of a record alone: the kernel says that the lock is held, and the process
// is the one that the lock's ledger names, by its pidfd.
//
// Errors: a record that cannot be read, never "no series". A driver that cannot be judged from here
// is kGoesOn without a handle: look again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/session/series_record.h"
#include "lock/grant/local_lock.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"
#include "session/record/store.h"

namespace holdfast::loop {

struct SeriesStatus {
  enum class Kind : std::uint8_t {
    kNone,     // the run is no part of a series
    kGoesOn,   // somebody drives it: the next iteration may come
    kOver,     // `record` has the reason and the code
    kStopped,  // nobody drives it, and it is not over: the same command can resume it
  };
  Kind kind = Kind::kNone;
  std::optional<SeriesRecord> record{};  // whatever is on record, of kNone too
  os::Handle driver{};                   // of kGoesOn: readable when the driver has ended
};

// Does the record name this run?
bool belongs_to(const SeriesRecord& record, const Id128& run);

// `run` is the session's newest; nullopt where there is none yet. `locks` is null where the home
// has none.
Result<SeriesStatus> series_status(const session::SessionDir& dir, lock::LocalBackend* locks,
                                   const Clock& clock, const std::optional<Id128>& run);

struct SeriesDriver {
  os::Pid pid{};
  os::Handle pidfd{};
};

// nullopt: nobody drives the series. kCannotTell `driver-unknown`: somebody does, or may, who
// cannot be judged from here.
Result<std::optional<SeriesDriver>> find_driver(lock::LocalBackend& locks, const Clock& clock,
                                                const std::string& name);

enum class DriverEnd : std::uint8_t { kEnded, kStays };

// Waits for `by_itself`, then asks, then waits for `patience`.
Result<DriverEnd> end_driver(const SeriesDriver& driver, Duration by_itself, Duration patience);

}  // namespace holdfast::loop
