// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

using namespace std::chrono_literals;

Duration parsed(std::string_view text) {
  const auto result = parse_duration(text);
  EXPECT_TRUE(result) << text;
  return result.value_or(Duration(-1));
}

TEST(Duration, EveryDocumentedFormIsRead) {
  EXPECT_EQ(parsed("500ms"), 500ms);
  EXPECT_EQ(parsed("5s"), 5s);
  EXPECT_EQ(parsed("2m"), 2min);
  EXPECT_EQ(parsed("1h"), 1h);
  EXPECT_EQ(parsed("7d"), 168h);
  EXPECT_EQ(parsed("30"), 30s);
  EXPECT_EQ(parsed("0.2"), 200ms);
  EXPECT_EQ(parsed("1.5h"), 90min);
  EXPECT_EQ(parsed("1h30m"), 90min);
  EXPECT_EQ(parsed("1d2h3m4s5ms"), 26h + 3min + 4s + 5ms);
  EXPECT_EQ(parsed("0"), 0s);
  EXPECT_EQ(parsed("0.1"), 100'000'000ns);  // exact, no floating point
}

TEST(Duration, WhatIsNotOneIsRefusedAsUsage) {
  for (const char* text : {"",
                           "s",
                           "-1",
                           "+1",
                           " 1",
                           "1 s",
                           "1e3",
                           "1x",
                           "1.",
                           ".5",
                           "1m1h",
                           "1s1s",
                           "1h30",
                           "0x10",
                           "forever",
                           "9223372037",
                           "99999999999999999999",
                           "106752d",
                           "0.0000000001",
                           "0.0000000000000000000000001",
                           "1\n"}) {
    const auto result = parse_duration(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kUsage) << text;
    EXPECT_EQ(result.error().cause, "bad-duration") << text;
  }
}

TEST(Duration, LargestValueFits) { EXPECT_EQ(parsed("9223372036"), 9223372036s); }

TEST(Duration, FormattedForPeopleAndNeverRoundedUp) {
  EXPECT_EQ(format_duration(0s), "0s");
  EXPECT_EQ(format_duration(999'999ns), "<1ms");
  EXPECT_EQ(format_duration(250ms), "250ms");
  EXPECT_EQ(format_duration(1500ms), "1.5s");
  EXPECT_EQ(format_duration(59'999'900us), "59.999s");
  EXPECT_EQ(format_duration(125s), "2m5s");
  EXPECT_EQ(format_duration(90min), "1h30m");
  EXPECT_EQ(format_duration(1h + 59s), "1h");
  EXPECT_EQ(format_duration(168h), "7d");
  EXPECT_EQ(format_duration(-5s), "-5s");
  EXPECT_EQ(format_duration(Duration::min()), "-106751d23h");
}

TEST(Duration, WholeUnitsSurviveTheRoundTrip) {
  for (const Duration d : {Duration(5ms), Duration(42s), Duration(61min), Duration(48h)}) {
    EXPECT_EQ(parsed(format_duration(d)), d);
  }
}

TEST(WallTime, WhatDoesNotFitBecomesTheNearestTimeThatDoes) {
  EXPECT_EQ(wall_time_from_unix(1, 5), WallTime(1'000'000'005ns));
  EXPECT_EQ(wall_time_from_unix(-1, 5), WallTime(-999'999'995ns));
  EXPECT_EQ(wall_time_from_unix(13'569'465'600, 0), WallTime::max());  // the year 2400
  EXPECT_EQ(wall_time_from_unix(-13'569'465'600, 999'999'999), WallTime::min());
}

TEST(Size, EveryDocumentedFormIsRead) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"0", 0},          {"4096", 4096},    {"64KiB", 65536},       {"64k", 65536},
      {"1MiB", 1048576}, {"10M", 10485760}, {"1.5GiB", 1610612736}, {"2GB", 2'000'000'000},
      {"3kB", 3000},     {"7b", 7},         {"1T", 1099511627776},
  };
  for (const auto& [text, bytes] : cases) {
    const auto result = parse_size(text);
    ASSERT_TRUE(result) << text;
    EXPECT_EQ(*result, bytes) << text;
  }
}

TEST(Size, WhatIsNotOneIsRefusedAsUsage) {
  for (const char* text : {"", "K", "-1", "1 K", "1.5", "0.3b", "1.K", "5x", "9223372036854775808",
                           "8388608T", "1K\n"}) {
    const auto result = parse_size(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().cause, "bad-size") << text;
  }
}

TEST(Size, FormattedForPeople) {
  EXPECT_EQ(format_size(0), "0B");
  EXPECT_EQ(format_size(1023), "1023B");
  EXPECT_EQ(format_size(1536), "1.5KiB");
  EXPECT_EQ(format_size(64ULL << 20), "64MiB");
  EXPECT_EQ(format_size(std::numeric_limits<std::uint64_t>::max()), "15.9EiB");
}

}  // namespace
}  // namespace holdfast
