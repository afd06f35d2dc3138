// SPDX-License-Identifier: Apache-2.0
//
// The driver of a series, for whoever stops the series from outside.
//
// Between two iterations nothing of the session lives, and nobody listens there: the driver pauses,
// or asks for the goal or the progress. It is found by the lock `series:NAME` and gets TERM, as by
// `kill`: then it ends what it asks or runs, and stops the series, which can be gone on with
// (series.h). It may be killed at any moment without harm, so no moment is wrong for that.
//
// Guarantee: nobody is signalled on the word of a record alone: the kernel says that the lock is
// held, and the process is the one that the lock's ledger names, by its pidfd.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "lock/grant/local_lock.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"

namespace holdfast::loop {

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
