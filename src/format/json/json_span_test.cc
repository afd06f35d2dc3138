// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_span.h"

#include <gtest/gtest.h>

#include "format/json/json_fault.h"
#include "format/json/json_layout.h"

namespace holdfast {
namespace {

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
