// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "os/machine/real_clock.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

// These three clocks exist on every kernel that runs the program, so callers have no error to
// handle. Where a filter denies them all the same, time 0 would be a lie: every deadline would be
// far and every lease fresh.
Duration read_clock(clockid_t clock) {
  timespec time{};
  if (sys().clock_gettime(clock, &time) != 0) {
    std::abort();  // lint: no_output without a clock no promise about time can be kept
  }
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

WallTime RealClock::wall() const { return WallTime(read_clock(CLOCK_REALTIME)); }
BootTime RealClock::boot() const { return BootTime(read_clock(CLOCK_BOOTTIME)); }
MonoTime RealClock::mono() const { return MonoTime(read_clock(CLOCK_MONOTONIC)); }

}  // namespace holdfast::os
