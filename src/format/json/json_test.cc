// SPDX-License-Identifier: Apache-2.0
#include "format/json/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "format/json/json_span.h"

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

TEST(JsonBytes, EveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  for (std::string bytes : {std::string(), std::string("plain"), std::string("grün"), all,
                            std::string("\xff"), std::string("a\xc3")}) {
    const std::string text = bytes_to_json(bytes).dump();
    EXPECT_EQ(bytes_from_json(parse_json(text)), bytes);
  }
}

TEST(JsonBytes, ThereIsOneSpellingOfEach) {
  for (const char* text : {R"({"hex":"61"})", R"({"hex":"F"})", R"({"hex":"FF"})", R"({"hex":""})",
                           R"({"hex":1})", "{}", "1", "null", "[]"}) {
    EXPECT_EQ(bytes_from_json(parse_json(text)), std::nullopt) << text;
  }
}

std::string found(std::string_view json, std::vector<std::string> keys) {
  const auto value = find_json_value(json, keys);
  return value ? std::string(*value) : "nothing";
}

TEST(JsonSpan, AValueEndsWhereItsLastByteIs) {
  for (const std::string_view value :
       {"{}", "[]", "{\"a\":[1,{\"b\":\"}]\"}]}", "\"a\\\"b\\\\\"", "-1.5e+10", "true", "null"}) {
    for (const std::string_view behind : {"", ",1", "]", "}", " \n", ":"}) {
      const std::string text = std::string(value) + std::string(behind);
      EXPECT_EQ(json_value_end(text, 0), value.size()) << text;
    }
  }
}

TEST(JsonSpan, AValueThatIsCutHasNoEnd) {
  const std::string_view value = "{\"a\":[1,{\"b\":\"x\\\"\"}]}";
  for (std::size_t cut = 1; cut < value.size(); ++cut) {
    EXPECT_EQ(json_value_end(value.substr(0, cut), 0), std::string_view::npos) << cut;
  }
}

TEST(JsonSpan, AFieldIsFoundByItsPathAndKeepsItsSpelling) {
  constexpr std::string_view kJson =
      R"( { "a" : 1.50 , "b" : { "c" : [ true , "x" ] } , "\u0064" : null , "a" : 2e3 } )";
  const std::string_view object = kJson.substr(1);
  EXPECT_EQ(found(object, {"a"}), "2e3");  // of two equal keys the last
  EXPECT_EQ(found(object, {"b", "c", "1"}), "\"x\"");
  EXPECT_EQ(found(object, {"b", "c"}), "[ true , \"x\" ]");
  EXPECT_EQ(found(object, {"d"}), "null");
  EXPECT_EQ(found(object, {"b", "c", "2"}), "nothing");
  EXPECT_EQ(found(object, {"b", "c", "01"}), "nothing");
  EXPECT_EQ(found(object, {"a", "x"}), "nothing");
  EXPECT_EQ(found("{}", {"a"}), "nothing");
  EXPECT_EQ(found("{ }", {"a"}), "nothing");
}

TEST(JsonSpan, AValueComparesAsItsContent) {
  EXPECT_EQ(json_value_text("\"a\\n\\u00e9\""), "a\n\xC3\xA9");
  EXPECT_EQ(json_value_text("1.50"), "1.50");
  EXPECT_EQ(json_value_text("false"), "false");
  EXPECT_EQ(json_value_text("{ \"a\" : [ 1 , \" x \" ] }"), "{\"a\":[1,\" x \"]}");
}

TEST(JsonLayout, OnlyBlanksChange) {
  constexpr std::string_view kJson = R"({"z":1.0,"a":[1,{"b":" , "}],"e":{},"f":[ ]})";
  const JsonLayout pretty{.newline = "\n", .base = "  ", .unit = "  ", .after_colon = " "};
  EXPECT_EQ(laid_out(kJson, pretty),
            "{\n    \"z\": 1.0,\n    \"a\": [\n      1,\n      {\n        \"b\": \" , \"\n      }\n"
            "    ],\n    \"e\": {},\n    \"f\": []\n  }");
  EXPECT_EQ(laid_out(laid_out(kJson, pretty), {}),
            R"({"z":1.0,"a":[1,{"b":" , "}],"e":{},"f":[]})");
  EXPECT_EQ(laid_out(kJson, {.after_comma = " ", .after_colon = " "}),
            R"({"z": 1.0, "a": [1, {"b": " , "}], "e": {}, "f": []})");
}

TEST(JsonLayout, ALayoutIsToldFromAnObjectWrittenInIt) {
  constexpr std::string_view kJson = R"({"z":1,"a":[1,2]})";
  for (const JsonLayout& layout :
       {JsonLayout{}, JsonLayout{.after_comma = " ", .after_colon = " "},
        JsonLayout{.newline = "\n", .base = "  ", .unit = "  ", .after_colon = " "},
        JsonLayout{.newline = "\r\n", .base = "\t", .unit = "\t", .after_colon = ""}}) {
    EXPECT_EQ(layout_of(laid_out(kJson, layout), layout.base), layout);
  }
  EXPECT_EQ(layout_of("{\"a\": 1}", "").after_comma, " ");
  EXPECT_EQ(layout_of("{}", ""), JsonLayout{});
}

TEST(JsonFault, WhatTheLibraryWouldLetPassIsAFault) {
  EXPECT_FALSE(find_json_fault("{\"a\":[1,2]}"));
  EXPECT_TRUE(find_json_fault(std::string_view("{}\0x", 4)));
  EXPECT_TRUE(find_json_fault("\xEF\xBB\xBF{}"));
  EXPECT_TRUE(find_json_fault(""));
  EXPECT_EQ(find_json_fault("[1e400]")->detail, "a number is too large for a double: '1e400'");
  EXPECT_TRUE(find_json_fault("{\"a\":\"\xFF\"}"));
}

TEST(JsonFault, ACutTextIsAFaultAtItsEnd) {
  constexpr std::string_view kJson = "[{\"a\":true,\"b\":\"xyz\"}]";
  for (std::size_t cut = 0; cut < kJson.size(); ++cut) {
    const auto fault = find_json_fault(kJson.substr(0, cut));
    ASSERT_TRUE(fault) << cut;
    EXPECT_TRUE(fault->at_end) << kJson.substr(0, cut);
  }
  const auto middle = find_json_fault("[1,!]");
  ASSERT_TRUE(middle);
  EXPECT_FALSE(middle->at_end);
  EXPECT_EQ(middle->at, 3U);
}

}  // namespace
}  // namespace holdfast
