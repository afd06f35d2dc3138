// SPDX-License-Identifier: Apache-2.0
#include "format/text/rfc3339.h"

#include <gtest/gtest.h>

#include <limits>

#include "format/json/due_time.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;

TEST(Rfc3339, KnownTimesAreWrittenAndReadBack) {
  EXPECT_EQ(format_rfc3339(WallTime{}), "1970-01-01T00:00:00.000Z");
  const WallTime time(1'709'209'845'123ms);
  EXPECT_EQ(format_rfc3339(time), "2024-02-29T12:30:45.123Z");
  EXPECT_EQ(parse_rfc3339("2024-02-29T12:30:45.123Z"), time);
}

TEST(Rfc3339, FinerDigitsAreCutOffAndBrokenClocksAreClamped) {
  EXPECT_EQ(format_rfc3339(WallTime(999'999'999ns)), "1970-01-01T00:00:00.999Z");
  EXPECT_EQ(format_rfc3339(WallTime(-1ns)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(format_rfc3339(WallTime::max()), "2261-12-31T23:59:59.999Z");
  EXPECT_TRUE(parse_rfc3339(format_rfc3339(WallTime::max())));
}

TEST(Rfc3339, NoOtherSpellingIsRead) {
  for (const char* text :
       {"", "2024-02-29", "2024-02-29T12:30:45Z", "2024-02-29t12:30:45.123z",
        "2024-02-29 12:30:45.123Z", "2024-02-29T12:30:45.123+", "2023-02-29T12:30:45.123Z",
        "2024-13-01T00:00:00.000Z", "2024-01-01T24:00:00.000Z", "2024-01-01T00:00:60.000Z",
        "2024-01-01T00:60:00.000Z", "1969-12-31T23:59:59.999Z", "0224-02-29T12:30:45.123Z",
        "9999-01-01T00:00:00.000Z", "+024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z\n"}) {
    EXPECT_FALSE(parse_rfc3339(text)) << text;
  }
}

TEST(Rfc3339, TextOrderIsTimeOrder) {
  std::string previous;
  for (WallTime time{}; time < WallTime(2000h * 24); time += 37h + 11min + 3s + 7ms) {
    const std::string text = format_rfc3339(time);
    EXPECT_LT(previous, text);
    EXPECT_EQ(parse_rfc3339(text), time);
    previous = text;
  }
}

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
