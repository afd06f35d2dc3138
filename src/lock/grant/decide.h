// SPDX-License-Identifier: Apache-2.0
//
// What a contender may do about a lock, from what it has seen. Pure: no file, no clock. The model
// test compares it with a slow model over all short sequences of events.
//
// `life_is_ours` is the hinge. With life, whoever is recorded has lost its open file description,
// and only the identity of the work can still say no. Without life, the kernel says that somebody
// lives, and only a lease that has run out can say that it does not matter.
#pragma once

#include <cstdint>

#include "format/lock/lock_ledger.h"
#include "lock/grant/backend.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {

// Of the recorded lease, seen from here. kOtherClock: its deadline is on the boot clock of another
// boot or time namespace, and means nothing here.
enum class Lease : std::uint8_t { kNone, kCurrent, kExpired, kOtherClock };

struct Seen {
  LockState state = LockState::kFree;
  LockBinding binding = LockBinding::kLib;
  LockYields yields = LockYields::kWait;
  Lease lease = Lease::kNone;
  bool watched_silence = false;  // a whole ttl without a beat, on our own clock
  bool life_is_ours = false;
  bool sidecar = false;
  bool rebooted = false;                   // the record is of an earlier boot of this machine
  proc::Life work = proc::Life::kUnknown;  // asked only where life is ours
  OnExpired wish = OnExpired::kWait;
  bool trust_kernel = false;  // a free life byte counts more than a work that nobody can judge
};

enum class Step : std::uint8_t {
  kGrant,         // with Decision::cause
  kReopen,        // this ledger is retired
  kWaitLife,      // somebody holds life
  kWaitWork,      // life is free, but the work lives
  kWaitDeadline,  // nothing lives but a lease that is still good (or must be watched)
  kTake,          // from a holder that may live (kDead: the kernel is trusted): decision first
  kKill,          // the work of the holder, then again
  kReplace,       // the sidecar itself
  kTakeRefused,   // on a sidecar the old holder keeps the flock: kUsage
  kKillRefused,   // only the command of a wrapper can be ended: kUsage
  kCannotTell,
};

struct Decision {
  Step step = Step::kCannotTell;
  LockCause cause = LockCause::kFresh;

  bool operator==(const Decision&) const = default;
};

Decision decide(const Seen& seen);

// Would the passing of the deadline change the answer? Then a waiter wakes for it.
bool deadline_matters(const Seen& seen);

}  // namespace holdfast::lock
