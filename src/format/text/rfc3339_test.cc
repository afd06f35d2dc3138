// SPDX-License-Identifier: Apache-2.0
#include "format/text/rfc3339.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holdfast
