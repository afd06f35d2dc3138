// SPDX-License-Identifier: Apache-2.0
#include "cli/output/moment.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <string>

#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

const WallTime kMomentNow = *parse_rfc3339("2026-11-15T07:46:00.000Z");

std::string moment(std::string_view text) {
  const auto parsed = parse_moment("since", text, kMomentNow);
  return parsed ? format_rfc3339(*parsed) : parsed.error().cause;
}

TEST(Moment, ADurationCountsBackFromNow) {
  EXPECT_EQ(moment("0"), "2026-11-15T07:46:00.000Z");
  EXPECT_EQ(moment("90"), "2026-11-15T07:44:30.000Z");
  EXPECT_EQ(moment("1h30m"), "2026-11-15T06:16:00.000Z");
  EXPECT_EQ(moment("30d"), "2026-10-16T07:46:00.000Z");
  EXPECT_EQ(moment("2026"), "2026-11-15T07:12:14.000Z") << "a bare number is seconds, not a year";
}

TEST(Moment, ADurationLongerThanAllTimeIsTheStartOfTime) {
  EXPECT_EQ(moment("100000d"), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(moment("290000000000"), "bad-value") << "as durations are";
}

TEST(Moment, ADayOrATimeStandsForItself) {
  EXPECT_EQ(moment("2026-11-01T07:00Z"), "2026-11-01T07:00:00.000Z");
  EXPECT_EQ(moment("2026-11-01t07:00:59z"), "2026-11-01T07:00:59.000Z");
  EXPECT_EQ(moment("2026-11-01 07:00:59.25Z"), "2026-11-01T07:00:59.250Z");
  EXPECT_EQ(moment("2026-11-01T07:00:00.123456789Z"), "2026-11-01T07:00:00.123Z");
  EXPECT_EQ(moment(format_rfc3339(kMomentNow)), format_rfc3339(kMomentNow)) << "as query prints it";
}

TEST(Moment, AnOffsetIsTakenOff) {
  EXPECT_EQ(moment("2026-11-01T07:00+02:00"), "2026-11-01T05:00:00.000Z");
  EXPECT_EQ(moment("2026-11-01T22:30:00-03:30"), "2026-11-02T02:00:00.000Z");
}

// Two hours east of Greenwich, without summer time: a spelling that every C library reads.
class LocalMoment : public ::testing::Test {
 protected:
  void SetUp() override { set_zone("EET-2"); }
  void TearDown() override { set_zone("UTC0"); }

 private:
  static void set_zone(const char* zone) {
    static std::string variable;  // the environment keeps the bytes
    variable = std::string("TZ=") + zone;
    ASSERT_EQ(::putenv(variable.data()), 0);
    ::tzset();
  }
};

TEST_F(LocalMoment, ADayOrATimeWithoutAZoneIsOfTheLocalOne) {
  EXPECT_EQ(moment("2026-11-01"), "2026-10-31T22:00:00.000Z");
  EXPECT_EQ(moment("2026-11-01 14:00"), "2026-11-01T12:00:00.000Z");
  EXPECT_EQ(moment("2026-11-01T14:00:30.5"), "2026-11-01T12:00:30.500Z");
  EXPECT_EQ(moment("2026-11-01T07:00Z"), "2026-11-01T07:00:00.000Z");
  EXPECT_EQ(moment("2026-11-01T07:00+05:00"), "2026-11-01T02:00:00.000Z");
  EXPECT_EQ(moment("1970-01-01"), "1970-01-01T00:00:00.000Z") << "there are no events before";
}

TEST_F(LocalMoment, DaysHaveNames) {
  EXPECT_EQ(moment("now"), "2026-11-15T07:46:00.000Z");
  EXPECT_EQ(moment("today"), "2026-11-14T22:00:00.000Z");
  EXPECT_EQ(moment("yesterday"), "2026-11-13T22:00:00.000Z");
}

TEST(Moment, WhatIsNoTimeIsRefused) {
  for (const char* text : {"",
                           "tomorrow",
                           "2026-13",
                           "2026-13-01x",
                           "2026-02-30",
                           "2026-11-01T",
                           "2026-11-01T24:00Z",
                           "2026-11-01T07:60Z",
                           "2026-11-01T07:00:61Z",
                           "2026-11-01T07:00:00.Z",
                           "2026-11-01T07:00Zx",
                           "2026-11-01T07:00+2:00",
                           "2026-11-01T07:00+24:00",
                           "1969-12-31",
                           "2262-01-01",
                           "-5",
                           "2026-11-1",
                           "2026-11-01T07:00:00.1234567890Z",
                           "2026-11-01 14",
                           "2026-11-01 24:00"}) {
    EXPECT_EQ(moment(text), "bad-value") << text;
  }
}

}  // namespace
}  // namespace holdfast::cli
