// SPDX-License-Identifier: Apache-2.0
//
// The local time zone, as TZ or the machine has it: between what a person's clock shows and the time.
//
// Limits: a time that the clock skips (summer time begins) is moved over the gap; of one that it
// shows twice, the library takes one. For the main thread: the C library keeps one zone for all.
#pragma once

#include <optional>

#include "base/clock.h"

namespace holdfast::os {

struct LocalTime {
  int year = 1970;
  int month = 1;  // from 1
  int day = 1;    // 0 is the last day of the month before
  int hour = 0;
  int minute = 0;
  int second = 0;
};

// nullopt: the C library cannot say.
std::optional<WallTime> from_local(const LocalTime& time);
std::optional<LocalTime> to_local(WallTime time);

}  // namespace holdfast::os
