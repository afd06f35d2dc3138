// SPDX-License-Identifier: Apache-2.0
//
// LeaseWatch: when a holder renews its lease, and when it must take itself for lost. Pure; whoever
// renews tells it what came of it.
//
//   0 ────── ttl/3 ────── 2/3 ttl ────── ttl        since the last renewal that succeeded
//            renew        lost           others may take it
//
// A renewal that fails is tried again after ttl/12. What is left between 2/3 and the end is for
// stopping the work. A holder that slept past all of it still asks once: as long as nobody took the
// lease, the renewal succeeds and nothing was lost.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace holdfast::lock {

class LeaseWatch {
 public:
  // `since` is a moment before which the deadline was set: clocks count from there.
  LeaseWatch(Duration ttl, BootTime since) : ttl_(ttl), since_(since), next_(since + ttl / 3) {}

  // When to renew.
  [[nodiscard]] BootTime next() const { return next_; }

  // `began` is a moment before the renewal.
  void renewed(BootTime began) {
    since_ = began;
    next_ = began + ttl_ / 3;
  }
  // A renewal failed, and may succeed later. False: it is too late for that, the lease is lost.
  [[nodiscard]] bool failed(BootTime now) {
    const BootTime lost_at = since_ + ttl_ * 2 / 3;
    next_ = std::min(now + ttl_ / 12, lost_at);
    return now < lost_at;
  }

 private:
  Duration ttl_;
  BootTime since_;
  BootTime next_;
};

// What a holder may take for stopping its work once it is lost.
inline Duration longest_grace(Duration ttl) { return ttl / 6; }

}  // namespace holdfast::lock
