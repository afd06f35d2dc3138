// SPDX-License-Identifier: Apache-2.0
#include "os/real_clock.h"
#include "os/sys_linux.h"

namespace holdfast::os {
namespace {

// These three clocks exist on every kernel that runs the program, so the call has nothing to
// report.
Duration read_clock(clockid_t clock) {
  timespec time{};
  sys().clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

WallTime RealClock::wall() const { return WallTime(read_clock(CLOCK_REALTIME)); }
BootTime RealClock::boot() const { return BootTime(read_clock(CLOCK_BOOTTIME)); }
MonoTime RealClock::mono() const { return MonoTime(read_clock(CLOCK_MONOTONIC)); }

}  // namespace holdfast::os
