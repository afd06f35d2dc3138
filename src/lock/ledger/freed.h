// SPDX-License-Identifier: Apache-2.0
//
// The record of a lock that nobody holds any more. It names the boot in which it was written: slots
// are not synced, so after a power cut an older one may be back, and a fence must not go on from it
// (attempt.cc, next_generation).
#pragma once

#include "base/clock.h"
#include "format/lock/lock_ledger.h"
#include "proc/identity/identity.h"

namespace holdfast::lock {

inline LockRecord freed(const LockRecord& before, LockCause cause, std::uint64_t epoch,
                        const proc::Identity& own, const Clock& clock) {
  LockRecord next;
  next.epoch = epoch;
  next.generation = before.generation;
  next.cause = cause;
  next.work.boot = own.boot;
  next.changed_ns = clock.wall().time_since_epoch().count();
  return next;
}

}  // namespace holdfast::lock
