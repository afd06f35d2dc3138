// SPDX-License-Identifier: Apache-2.0
#include "format/lock/starts_record.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

StartsRecord two_names() {
  DueTime due{.from = {.moment = {.boot_ns = 123456789, .timens = 7},
                       .wall = WallTime(std::chrono::milliseconds(1'763'200'000'000))},
              .wait = std::chrono::seconds(10)};
  due.from.moment.boot.bytes[3] = 9;
  due.from.moment.machine.bytes[5] = 1;
  return {.names = {{.name = "agents", .next = due}, {.name = "odd/\xff", .next = due}}};
}

TEST(StartsRecord, SurvivesWritingAndReading) {
  for (const StartsRecord& record : {StartsRecord{}, two_names()}) {
    const auto again = decode_starts_record(encode_starts_record(record), "record");
    ASSERT_TRUE(again) << again.error().detail;
    EXPECT_EQ(*again, record);
  }
}

TEST(StartsRecord, CutAnywhereItIsDamaged) {
  const std::string bytes = encode_starts_record(two_names());
  for (std::size_t length = 0; length + 1 < bytes.size(); ++length) {
    const auto cut = decode_starts_record(std::string_view(bytes).substr(0, length), "record");
    ASSERT_FALSE(cut) << length;
    EXPECT_EQ(cut.error().code, ErrorCode::kCorrupt) << length;
  }
}

TEST(StartsRecord, ANewerOneCannotBeTold) {
  const auto newer = decode_starts_record(R"({"v":2,"kind":"holdfast-starts"})", "record");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kCannotTell);
  for (const char* bytes : {"", "[]", R"({"v":1,"kind":"holdfast-step"})"}) {
    const auto other = decode_starts_record(bytes, "record");
    ASSERT_FALSE(other) << bytes;
    EXPECT_EQ(other.error().code, ErrorCode::kCorrupt) << bytes;
  }
}

}  // namespace
}  // namespace holdfast
