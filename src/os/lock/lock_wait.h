// SPDX-License-Identifier: Apache-2.0
//
// The wait for a lock that can only be tried; for src/os/lock/dir_lock_*.cc only.
//
// A few tries at once (a holder that runs on another processor is done by then), then pauses of
// 20 µs, doubled up to 1 ms. The limit is judged on the monotonic clock before each pause, and no
// pause reaches beyond it; after the last one there is one more try. A free lock costs no look at
// the clock.
#pragma once

#include <algorithm>
#include <limits>

#include "base/budget.h"
#include "base/clock.h"
#include "base/result.h"
#include "os/machine/real_clock.h"

namespace holdfast::os {

inline constexpr int kTriesWithoutPause = 4;
inline constexpr Duration kFirstPause = std::chrono::microseconds(20);
inline constexpr Duration kLongestPause = std::chrono::milliseconds(1);
inline constexpr int kAnyNumberOfPauses = std::numeric_limits<int>::max();

// `try_once` returns Result<bool>; `pause` takes a Duration and may come back early. After
// `most_pauses` it is given up before the limit.
template <typename Try, typename Pause>
Result<bool> wait_for_lock(Duration limit, const Try& try_once, const Pause& pause,
                           int tries_without_pause = kTriesWithoutPause,
                           int most_pauses = kAnyNumberOfPauses) {
  if (HF_TRY(try_once())) return true;
  if (limit <= Duration::zero()) return false;
  const RealClock clock;
  const MonoTime start = clock.mono();
  limit = within_whole_budget(limit, start);
  Duration next_pause = kFirstPause;
  for (int tries = 1; tries - tries_without_pause < most_pauses; ++tries) {
    const Duration passed = clock.mono() - start;
    if (passed >= limit) return false;
    if (tries >= tries_without_pause) {
      pause(std::min(next_pause, limit - passed));
      next_pause = std::min(next_pause * 2, kLongestPause);
    }
    if (HF_TRY(try_once())) return true;
  }
  return false;
}

}  // namespace holdfast::os
