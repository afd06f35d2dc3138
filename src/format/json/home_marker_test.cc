// SPDX-License-Identifier: Apache-2.0
#include "format/json/home_marker.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

// The golden file of version 1: what is on people's disks must stay readable.
constexpr std::string_view kHomeMarkerGolden =
    "{\"v\":1,\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}\n";
const WallTime kCreated(std::chrono::milliseconds(1'709'209'845'123));

ErrorCode home_marker_code_of(std::string_view bytes) {
  const auto marker = decode_home_marker(bytes, "format");
  return marker ? ErrorCode::kInternal : marker.error().code;
}

TEST(HomeMarker, GoldenFileIsWrittenAndRead) {
  EXPECT_EQ(encode_home_marker({.created = kCreated}), kHomeMarkerGolden);
  const auto marker = decode_home_marker(kHomeMarkerGolden, "format");
  ASSERT_TRUE(marker);
  EXPECT_EQ(marker->created, kCreated);
}

TEST(HomeMarker, CutAtEveryByteItIsCorruptAndNeverEmpty) {
  // Without its final newline the object is still whole.
  for (std::size_t length = 0; length + 1 < kHomeMarkerGolden.size(); ++length) {
    EXPECT_EQ(home_marker_code_of(kHomeMarkerGolden.substr(0, length)), ErrorCode::kCorrupt)
        << length;
  }
}

TEST(HomeMarker, NewerVersionIsCannotTellAndNotCorrupt) {
  const auto marker =
      decode_home_marker("{\"v\":2,\"kind\":\"holdfast-home\",\"shape\":\"new\"}", "format");
  ASSERT_FALSE(marker);
  EXPECT_EQ(marker.error().code, ErrorCode::kCannotTell);
  EXPECT_EQ(marker.error().cause, "newer-version");
}

TEST(HomeMarker, UnknownKeysAreAllowed) {
  EXPECT_TRUE(
      decode_home_marker("{\"v\":1,\"kind\":\"holdfast-home\",\"x\":[],"
                         "\"created\":\"2024-02-29T12:30:45.123Z\"}",
                         "format"));
}

TEST(HomeMarker, EverythingElseIsCorrupt) {
  for (const char* bytes :
       {"[]", "null", "7", "{}", "{\"v\":1}", "{\"v\":1,\"kind\":\"holdfast-home\"}",
        "{\"v\":0,\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":-1,\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":\"1\",\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":1,\"kind\":\"home\",\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":1,\"kind\":7,\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":1,\"kind\":\"holdfast-home\",\"created\":\"yesterday\"}",
        "{\"v\":1,\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}{}"}) {
    EXPECT_EQ(home_marker_code_of(bytes), ErrorCode::kCorrupt) << bytes;
  }
}

TEST(HomeMarker, ANulByteDoesNotEndIt) {
  EXPECT_EQ(home_marker_code_of(std::string(kHomeMarkerGolden) + '\0'), ErrorCode::kCorrupt);
  EXPECT_EQ(home_marker_code_of(std::string(kHomeMarkerGolden) + '\0' + "{}"), ErrorCode::kCorrupt);
}

TEST(HomeMarker, AVersionTooLargeForAnIntegerIsNewerAndNotCorrupt) {
  for (const char* v : {"9223372036854775808", "18446744073709551615", "99999999999999999999"}) {
    const std::string bytes = std::string("{\"v\":") + v + ",\"kind\":\"holdfast-home\"}";
    EXPECT_EQ(home_marker_code_of(bytes), ErrorCode::kCannotTell) << v;
  }
  EXPECT_EQ(home_marker_code_of("{\"v\":1.5,\"kind\":\"holdfast-home\"}"), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace holdfast
