// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/decide.h"

namespace holdfast::lock {
namespace {

bool has_run_out(const Seen& seen) {
  return seen.lease == Lease::kExpired ||
         (seen.lease == Lease::kOtherClock && seen.watched_silence);
}

// What both sides allow once the lease has run out. `replace` is a way to take.
OnExpired allowed(const Seen& seen) {
  if (seen.yields == LockYields::kWait) return OnExpired::kWait;
  if (seen.wish == OnExpired::kKill && seen.yields == LockYields::kTake) return OnExpired::kTake;
  return seen.wish;
}

Decision act_on_expiry(const Seen& seen, Step otherwise) {
  if (!has_run_out(seen)) return {.step = otherwise};
  switch (allowed(seen)) {
    case OnExpired::kWait:
      return {.step = otherwise};
    case OnExpired::kKill:
      if (seen.binding == LockBinding::kExec)
        return {.step = Step::kKill, .cause = LockCause::kExpired};
      if (seen.binding != LockBinding::kTtl) return {.step = Step::kKillRefused};
      [[fallthrough]];  // no process holds it
    case OnExpired::kTake:
      // With life in hand nobody else holds the flock; else only a keeper can be made to let go.
      if (seen.sidecar && !seen.life_is_ours && seen.binding != LockBinding::kOwner)
        return {.step = Step::kTakeRefused};
      return {.step = Step::kTake, .cause = LockCause::kExpired};
    case OnExpired::kReplace:
      if (seen.sidecar && !seen.life_is_ours)
        return {.step = Step::kReplace, .cause = LockCause::kReplaced};
      return {.step = Step::kTake, .cause = LockCause::kExpired};
  }
  return {.step = Step::kCannotTell};
}

Decision with_life(const Seen& seen) {
  if (seen.state == LockState::kFree) return {.step = Step::kGrant, .cause = LockCause::kFresh};
  if (seen.rebooted) return {.step = Step::kGrant, .cause = LockCause::kRebooted};
  if (seen.binding == LockBinding::kTtl) {
    if (has_run_out(seen)) return {.step = Step::kGrant, .cause = LockCause::kExpired};
    return {.step = seen.lease == Lease::kNone ? Step::kCannotTell : Step::kWaitDeadline};
  }
  switch (seen.work) {
    case proc::Life::kDead:
      return {.step = Step::kGrant, .cause = LockCause::kDead};
    case proc::Life::kLive:
      return act_on_expiry(seen, Step::kWaitWork);
    case proc::Life::kUnknown:
      if (seen.trust_kernel) return {.step = Step::kTake, .cause = LockCause::kDead};
      return act_on_expiry(seen, Step::kCannotTell);
  }
  return {.step = Step::kCannotTell};
}

}  // namespace

Decision decide(const Seen& seen) {
  if (seen.state == LockState::kRetired) return {.step = Step::kReopen};
  if (seen.life_is_ours) return with_life(seen);
  if (seen.state == LockState::kFree) return {.step = Step::kWaitLife};
  return act_on_expiry(seen, Step::kWaitLife);
}

bool deadline_matters(const Seen& seen) {
  if (seen.state != LockState::kHeld) return false;
  if (seen.lease != Lease::kCurrent && seen.lease != Lease::kOtherClock) return false;
  if (seen.binding == LockBinding::kTtl) return true;
  return allowed(seen) != OnExpired::kWait;
}

}  // namespace holdfast::lock
