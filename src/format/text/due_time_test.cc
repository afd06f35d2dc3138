// SPDX-License-Identifier: Apache-2.0
#include "format/text/due_time.h"

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

Id128 boot(std::uint8_t byte) {
  Id128 id;
  id.bytes.fill(byte);
  return id;
}

TimeMark due_time_mark(std::uint8_t boot_byte, Duration since_boot, Duration wall,
                       std::uint64_t timens = 7) {
  return {.moment = {.boot = boot(boot_byte), .boot_ns = since_boot.count(), .timens = timens},
          .wall = WallTime(wall)};
}

const DueTime kInAnHour{.from = due_time_mark(1, hours(5), hours(1000)), .wait = hours(1)};

TEST(DueTime, InOneBootTheBootClockAloneDecides) {
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(1, hours(5) + minutes(20), hours(1000) + minutes(20))),
            minutes(40));
  // The wall clock was set forward by years, and back.
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(1, hours(5) + minutes(20), hours(90000))),
            minutes(40));
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(1, hours(6), hours(1))), Duration::zero());
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(1, hours(9), hours(1))), Duration::zero());
}

TEST(DueTime, AfterAnotherBootTheWallClockDecides) {
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(2, minutes(1), hours(1000) + minutes(30))),
            minutes(30));
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(2, minutes(1), hours(1002))), Duration::zero());
}

TEST(DueTime, AWallClockThatWentBackwardsCostsNoMoreThanTheWaitAfterTheBoot) {
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(2, minutes(10), hours(3))), minutes(50));
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(2, hours(1), hours(3))), Duration::zero());
}

TEST(DueTime, InAnotherTimeNamespaceTheWallClockDecidesAndNeverMakesNegativeTime) {
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(1, hours(500), hours(1000) + minutes(10), 8)),
            minutes(50));
  EXPECT_EQ(left_of(kInAnHour, due_time_mark(1, hours(500), hours(3), 8)), hours(1));
}

TEST(DueTime, WhenIsSaidByThePersonsClock) {
  EXPECT_EQ(wall_of(kInAnHour, due_time_mark(1, hours(5) + minutes(20), hours(7))),
            WallTime(hours(7) + minutes(40)));
  EXPECT_EQ(wall_of(kInAnHour, due_time_mark(1, hours(50), hours(7))), WallTime(hours(7)));
}

TEST(DueTime, WhatDoesNotFitBecomesTheNearestThatDoes) {
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  const DueTime never{.from = due_time_mark(1, hours(5), hours(1000)), .wait = Duration(kLast)};
  EXPECT_EQ(wall_of(never, due_time_mark(1, hours(5), hours(1000))), WallTime::max());
  const TimeMark first{.moment = {}, .wall = WallTime::min()};
  EXPECT_EQ(passed_since(first, due_time_mark(1, hours(1), hours(1000))), Duration(kLast));
  EXPECT_EQ(later(due_time_mark(1, Duration(kLast), hours(1)), hours(1)).moment.boot_ns, kLast);
}

TEST(DueTime, AMarkIsMovedOnBothClocks) {
  EXPECT_EQ(later(due_time_mark(1, hours(5), hours(1000)), hours(2)),
            due_time_mark(1, hours(7), hours(1002)));
}

}  // namespace
}  // namespace holdfast
