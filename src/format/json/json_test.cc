// SPDX-License-Identifier: Apache-2.0
#include "format/json/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

TEST(Json, PairsThatBeginWithATextAreAnObjectAndAnythingElseIsAnArray) {
  EXPECT_EQ((Json{{"a", 1}, {"b", Json{{"c", true}}}}.dump()), R"({"a":1,"b":{"c":true}})");
  EXPECT_EQ((Json{1, "two", nullptr}.dump()), R"([1,"two",null])");
  EXPECT_EQ(Json::array({Json{{"a", 1}}}).dump(), R"([{"a":1}])");
  EXPECT_EQ(Json::array().dump() + Json::object().dump() + Json().dump(), "[]{}null");
}

TEST(Json, AnEmptyOptionalIsNullAndAListOfTextsAnArray) {
  EXPECT_EQ(Json(std::optional<int>()).dump(), "null");
  EXPECT_EQ(Json(std::optional<bool>(false)).dump(), "false");
  EXPECT_EQ(Json(std::vector<std::string>{"a", "b"}).dump(), R"(["a","b"])");
}

TEST(Json, KeysKeepTheirOrderAndAreOverwrittenInPlace) {
  Json json{{"z", 1}, {"a", 2}};
  json["z"] = 3;
  json["new"].push_back("x");
  json.update(Json{{"a", 4}, {"last", 5}});
  EXPECT_EQ(json.dump(), R"({"z":3,"a":4,"new":["x"],"last":5})");
  EXPECT_EQ(json.find("absent"), nullptr);
  EXPECT_TRUE(std::as_const(json)["absent"].is_null());
  EXPECT_FALSE(json.contains("absent"));
}

TEST(Json, NumbersComeBackExactly) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(parse_json(Json(kMost).dump()).count(), kMost);
  EXPECT_EQ(parse_json(Json(kMost).dump()).integer(), std::nullopt);
  EXPECT_EQ(parse_json(Json(kLeast).dump()).integer(), kLeast);
  EXPECT_EQ(parse_json(Json(kLeast).dump()).count(), std::nullopt);
  EXPECT_EQ(parse_json("1.5").real(), 1.5);
  EXPECT_EQ(parse_json("1.5").integer(), std::nullopt);
  EXPECT_EQ(Json(0.1).dump(), "0.1");
}

TEST(Json, WhateverTheBytesItPrintsValidJson) {
  EXPECT_EQ(Json("a\"\\\n\x01").dump(), R"("a\"\\\n\u0001")");
  EXPECT_EQ(Json("\xff").dump(), "\"\xef\xbf\xbd\"");
  EXPECT_EQ(Json("\xc3\xa9").dump(), "\"\xc3\xa9\"");
}

TEST(Json, TheWholeTextIsJsonOrNothingIs) {
  for (const std::string_view text : {"", "{", "{}x", "[1,]", "{\"a\":1,}", "nul", "'a'"}) {
    EXPECT_TRUE(parse_json(text).is_invalid()) << text;
  }
  EXPECT_TRUE(parse_json(std::string_view("1\0", 2)).is_invalid());
  EXPECT_TRUE(parse_json(" null ").is_null());
}

TEST(Json, OfARepeatedKeyTheLastCountsUnlessThatIsRefused) {
  const std::string_view text = R"({"a":1,"b":2,"a":[3]})";
  EXPECT_EQ(parse_json(text).dump(), R"({"a":[3],"b":2})");
  EXPECT_TRUE(parse_json(text, RepeatedKeys::kRefuse).is_invalid());
  EXPECT_FALSE(parse_json(R"({"a":{"a":1}})", RepeatedKeys::kRefuse).is_invalid());
}

TEST(Json, ATextThatIsNestedTooDeepIsRefused) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(parse_json(nested(kMaxJsonDepth)).dump(), nested(kMaxJsonDepth));
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth + 1)).is_invalid());
}

TEST(Json, EqualityIsThatOfValuesNotOfTypes) {
  EXPECT_EQ(Json(1), Json(1U));
  EXPECT_NE(Json(-1), Json(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_NE(Json(0), Json(false));
  EXPECT_EQ(parse_json(R"({"a":[1,"b",null]})"), (Json{{"a", Json::array({1, "b", nullptr})}}));
}

}  // namespace
}  // namespace holdfast
