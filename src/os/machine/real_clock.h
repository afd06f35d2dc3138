// SPDX-License-Identifier: Apache-2.0
//
// The machine's own clocks behind base/clock.h.
//
// Platform: on Linux CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_MONOTONIC. On Windows the system time,
// the interrupt time including sleep, and the unbiased interrupt time, which leaves sleep out. A
// Linux that denies its clocks aborts the program: there is no time to go on with.
#pragma once

#include "base/clock.h"

namespace holdfast::os {

class RealClock final : public Clock {
 public:
  [[nodiscard]] WallTime wall() const override;
  [[nodiscard]] BootTime boot() const override;
  [[nodiscard]] MonoTime mono() const override;
};

}  // namespace holdfast::os
