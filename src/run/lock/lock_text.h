// SPDX-License-Identifier: Apache-2.0
//
// What is said of a lock to people: who holds it, and why it was not got. Not yet safe for a
// terminal (base/printable.h). Pure.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "lock/grant/backend.h"

namespace holdfast::run {

// "pid 4711 on host db1 since 2026-11-15T07:46:00Z (deploy)", as far as it is known.
std::string holder_text(const lock::HolderView& holder);
// A moment of the boot clock as a wall time.
std::string wall_of(BootTime moment, const Clock& clock);

// "waiting for the lock 'deploy', held by pid 4711 since …, for up to 10s".
std::string waiting_text(const std::string& label, const lock::HolderView& holder,
                         const std::optional<Duration>& wait);

// Why it was not got: kBusy `timeout`, `readers-full`, `deadlock`, `cancelled`; kOsRefused
// `survivors`. The sentence names the holder.
Error not_acquired(const std::string& label, const lock::AcquireOutcome& outcome,
                   const lock::AcquireRequest& request);
// The same, to somebody whose command did not run for it.
Error not_granted(const std::string& label, const lock::AcquireOutcome& outcome,
                  const lock::AcquireRequest& request);

// For people, about a grant that was taken from somebody; else empty.
std::string grant_note(const std::string& label, const lock::AcquireOutcome& outcome);

}  // namespace holdfast::run
