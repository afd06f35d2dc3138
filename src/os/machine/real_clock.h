// SPDX-License-Identifier: Apache-2.0
//
// The machine's own clocks behind base/clock.h, and a pause.
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

// A pause of the calling thread, for waits that have no event to wait for. It may end early (a
// signal); whoever waits for a condition looks again.
void pause(Duration duration);

// The length of a clock tick, in which /proc gives the start times of processes. It is the kernel's
// word to user space (mostly 10 ms) and not the rate of its timer.
// Windows: 100 ns, in which its start times are told (os/process/process_list.h).
Duration clock_tick();

}  // namespace holdfast::os
