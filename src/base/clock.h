// SPDX-License-Identifier: Apache-2.0
//
// Clock: the three times of a machine, behind one interface so that tests own time.
//
//   wall   what people read; may jump in either direction at any moment. Never decides anything.
//   boot   time since boot, suspend included (CLOCK_BOOTTIME). Deadlines and leases live here: a
//          laptop that slept past a lease finds it expired. Comparable between processes of one
//          boot only.
//   mono   time since boot without suspend. For measuring how long work took.
//
// Each has its own type, so comparing a wall time with a boot time does not compile.
#pragma once

#include <chrono>
#include <cstdint>

namespace holdfast {

using Duration = std::chrono::nanoseconds;

using WallTime = std::chrono::sys_time<Duration>;

// From seconds and nanoseconds since 1970. What does not fit (the year 2400 is easily set on a file
// by its owner) becomes the nearest time that does.
constexpr WallTime wall_time_from_unix(std::int64_t seconds, std::int64_t nanoseconds) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  if (seconds >= WallTime::max().time_since_epoch().count() / kSecond) return WallTime::max();
  if (seconds <= WallTime::min().time_since_epoch().count() / kSecond) return WallTime::min();
  return WallTime(Duration(seconds * kSecond + nanoseconds));
}

struct BootClock {
  using duration = Duration;
  using time_point = std::chrono::time_point<BootClock, Duration>;
};
using BootTime = BootClock::time_point;

struct MonoClock {
  using duration = Duration;
  using time_point = std::chrono::time_point<MonoClock, Duration>;
};
using MonoTime = MonoClock::time_point;

// As records and futexes hold them.
constexpr std::int64_t to_nanoseconds(WallTime time) { return time.time_since_epoch().count(); }
constexpr std::int64_t to_nanoseconds(BootTime time) { return time.time_since_epoch().count(); }

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual WallTime wall() const = 0;
  [[nodiscard]] virtual BootTime boot() const = 0;
  [[nodiscard]] virtual MonoTime mono() const = 0;
};

// `wait` after `moment`, or the last moment there is: nobody lives to see the difference.
template <typename Moment>
constexpr Moment after(Moment moment, Duration wait) {
  return wait < Moment::max() - moment ? moment + wait : Moment::max();
}

}  // namespace holdfast
