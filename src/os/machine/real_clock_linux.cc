// SPDX-License-Identifier: Apache-2.0
#include "os/machine/real_clock.h"

#include <unistd.h>

#include <cstdlib>

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

void pause(Duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  const timespec time{.tv_sec = seconds.count(), .tv_nsec = (duration - seconds).count()};
  sys().nanosleep(&time, nullptr);
}

// sysconf asks no kernel for this: the number came with the start of the program.
Duration clock_tick() {
  constexpr long kUsual = 100;
  const long per_second = ::sysconf(_SC_CLK_TCK);  // lint: sys_table no system call
  return Duration(std::chrono::seconds(1)) / (per_second > 0 ? per_second : kUsual);
}

}  // namespace holdfast::os
