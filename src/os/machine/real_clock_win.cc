// SPDX-License-Identifier: Apache-2.0
//
// The interrupt time counts from boot; "unbiased" leaves sleep out. Their precise forms exist from
// Windows 10 on; where they are missing (Wine 8) the tick count, which includes sleep as well, and
// the plain unbiased time stand in, with a coarser step (up to 16 ms on Windows).
//
// The performance counter is not used for mono(): on Windows it goes on while the machine sleeps.
#include "os/machine/real_clock.h"

#include "os/sys/native_win.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {
namespace {

Duration from_hundred_ns(std::uint64_t ticks) {
  return Duration(static_cast<std::int64_t>(ticks * 100));
}

}  // namespace

WallTime RealClock::wall() const {
  FILETIME now{};
  sys().GetSystemTimePreciseAsFileTime(&now);
  return to_wall(now);
}

BootTime RealClock::boot() const {
  std::uint64_t ticks = 0;
  if (sys().QueryInterruptTimePrecise(&ticks) != FALSE) return BootTime(from_hundred_ns(ticks));
  return BootTime(std::chrono::milliseconds(static_cast<std::int64_t>(sys().GetTickCount64())));
}

MonoTime RealClock::mono() const {
  std::uint64_t ticks = 0;
  if (sys().QueryUnbiasedInterruptTimePrecise(&ticks) != FALSE) {
    return MonoTime(from_hundred_ns(ticks));
  }
  ULONGLONG coarse = 0;
  sys().QueryUnbiasedInterruptTime(&coarse);
  return MonoTime(from_hundred_ns(coarse));
}

// The system counts whole milliseconds; a shorter pause gives up the rest of the time slice.
void pause(Duration duration) {
  sys().Sleep(
      static_cast<DWORD>(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()));
}

// In which start times are told (process_list.h), whatever the pace of the clock behind them.
Duration clock_tick() { return std::chrono::nanoseconds(100); }

}  // namespace holdfast::os
