// SPDX-License-Identifier: Apache-2.0
//
// A waitable timer that is set by "so long from now" does not count the time that the machine
// sleeps, and one that is set to a time of day moves when somebody sets the clock. So it is set to
// go off again and again, once a second, in step with the moment: one of the beats falls on the
// moment itself, and whoever slept or had its clock moved is woken within a second of being awake.
// The owner compares its clock at each beat (boot_timer.h), and an early one does no harm.
//
// Each beat wakes one wait. Once the moment is there the beats come fast, so that the timer stays
// readable, all but; the clock that the owner looks at may be coarser than the timer.
#include "os/watch/boot_timer.h"

#include <algorithm>

#include "os/machine/real_clock.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBeat{1000};
constexpr milliseconds kFastBeat{10};
constexpr milliseconds kNever{std::chrono::hours(24 * 365)};

Error cannot_set() { return last_os_error("set", "a timer"); }

}  // namespace

Result<BootTimer> BootTimer::create() {
  const HANDLE timer = sys().CreateWaitableTimerW(nullptr, FALSE, nullptr);
  if (timer == nullptr) return fail(last_os_error("make", "a timer"));
  return BootTimer(own(timer));
}

Result<> BootTimer::set(std::optional<BootTime> moment) {
  Duration left = kNever;
  if (moment) left = std::max(*moment - RealClock().boot(), Duration::zero());
  milliseconds beat = kBeat;
  if (!moment) {
    beat = milliseconds::zero();
  } else if (left <= kBeat) {
    beat = kFastBeat;
  } else {
    left %= kBeat;
    left += kFastBeat;  // behind the moment, never just before it
  }
  constexpr std::int64_t kNsPerTick = 100;
  LARGE_INTEGER due{};
  due.QuadPart = -std::max<std::int64_t>(left.count() / kNsPerTick, 1);  // negative: from now on
  if (sys().SetWaitableTimer(handle_of(handle_), &due, static_cast<LONG>(beat.count()), nullptr,
                             nullptr, FALSE) == FALSE) {
    return fail(cannot_set());
  }
  return {};
}

}  // namespace holdfast::os
