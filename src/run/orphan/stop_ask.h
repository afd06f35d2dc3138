// SPDX-License-Identifier: Apache-2.0
//
// Asking a supervisor that lives to end its session.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "lock/grant/local_lock.h"
#include "run/orphan/stop.h"
#include "session/record/store.h"

namespace holdfast::run {

enum class StopAsked : std::uint8_t {
  kAsked,
  kFull,           // it has not read what others asked; now it is awake, and can be asked again
  kNobodyListens,  // it has not come to that yet, or it is about to end, or it is no supervisor
};

// Also wakes it where it is stopped, and where the ledger of the name says, as the record does,
// that this process holds the name: a record alone leads to no signal.
Result<StopAsked> ask_to_stop(lock::LocalBackend& locks, const session::SessionDir& dir,
                              const SessionRecord& record, const StopOrder& order);
// The waking alone: whoever was just about to be stopped when it was asked is stopped a moment
// later.
void wake_if_stopped(lock::LocalBackend& locks, const session::SessionDir& dir,
                     const SessionRecord& record);

}  // namespace holdfast::run
