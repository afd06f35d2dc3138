// SPDX-License-Identifier: Apache-2.0
#include "format/text/due_time.h"

#include <algorithm>
#include <limits>

namespace holdfast {
namespace {

using Ticks = Duration::rep;

// A record may say anything: what does not fit becomes the nearest that does.
Ticks difference(Ticks a, Ticks b) {
  Ticks out = 0;
  if (!__builtin_sub_overflow(a, b, &out)) return out;
  return b < 0 ? std::numeric_limits<Ticks>::max() : std::numeric_limits<Ticks>::min();
}

Ticks sum(Ticks a, Ticks b) {
  Ticks out = 0;
  if (!__builtin_add_overflow(a, b, &out)) return out;
  return b > 0 ? std::numeric_limits<Ticks>::max() : std::numeric_limits<Ticks>::min();
}

}  // namespace

Duration passed_since(const TimeMark& mark, const TimeMark& now) {
  const Ticks by_wall =
      difference(now.wall.time_since_epoch().count(), mark.wall.time_since_epoch().count());
  Ticks passed = std::max<Ticks>(by_wall, 0);
  if (mark.moment.boot != now.moment.boot) {
    passed = std::max<Ticks>(passed, now.moment.boot_ns);
  } else if (mark.moment.timens == now.moment.timens) {
    passed = std::max<Ticks>(difference(now.moment.boot_ns, mark.moment.boot_ns), 0);
  }
  return Duration(passed);
}

TimeMark later(const TimeMark& mark, Duration by) {
  TimeMark moved = mark;
  moved.moment.boot_ns = sum(mark.moment.boot_ns, by.count());
  moved.wall = WallTime(Duration(sum(mark.wall.time_since_epoch().count(), by.count())));
  return moved;
}

Duration left_of(const DueTime& due, const TimeMark& now) {
  const Ticks left = difference(due.wait.count(), passed_since(due.from, now).count());
  return Duration(std::max<Ticks>(left, 0));
}

WallTime wall_of(const DueTime& due, const TimeMark& now) {
  return WallTime(Duration(sum(now.wall.time_since_epoch().count(), left_of(due, now).count())));
}

}  // namespace holdfast
