// SPDX-License-Identifier: Apache-2.0
#include "journal/read/read_field.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::journal {
namespace {

// The text, "(none)" for nothing, "(error)" for an error.
std::string text_of(std::string_view data, const std::vector<std::string>& path) {
  const auto value = read_field(data, path);
  if (!value) return value.error().cause == "bad-data" ? "(error)" : "(another error)";
  return value->value_or("(none)");
}

TEST(ReadField, ScalarsAreTheirTexts) {
  constexpr std::string_view kData =
      R"({"s":"a\"\u00e9\n","i":-12,"u":18446744073709551615,"f":1.50,"e":1e3,"z":-0,"t":true,"n":null,"":"empty"})";
  EXPECT_EQ(text_of(kData, {"s"}), "a\"\u00e9\n");
  EXPECT_EQ(text_of(kData, {"i"}), "-12");
  EXPECT_EQ(text_of(kData, {"u"}), "18446744073709551615");
  EXPECT_EQ(text_of(kData, {"f"}), "1.50");
  EXPECT_EQ(text_of(kData, {"e"}), "1e3");
  EXPECT_EQ(text_of(kData, {"z"}), "-0");
  EXPECT_EQ(text_of(kData, {"t"}), "true");
  EXPECT_EQ(text_of(kData, {"n"}), "null");
  EXPECT_EQ(text_of(kData, {""}), "empty");
}

TEST(ReadField, PathsGoDownObjectsAndArrays) {
  constexpr std::string_view kData =
      R"({"x":{"b":0},"a":{"x":[9],"b":{"c":"deep"}},"l":[[1,2],{"k":3},"last"],"b":1})";
  EXPECT_EQ(text_of(kData, {"a", "b", "c"}), "deep");
  EXPECT_EQ(text_of(kData, {"l", "0", "1"}), "2");
  EXPECT_EQ(text_of(kData, {"l", "1", "k"}), "3");
  EXPECT_EQ(text_of(kData, {"l", "2"}), "last");
  EXPECT_EQ(text_of(kData, {"b"}), "1");
}

TEST(ReadField, WhatIsNotThereIsNothing) {
  constexpr std::string_view kData = R"({"a":{"b":1},"l":[1,2],"s":"text"})";
  for (const std::vector<std::string>& path : std::vector<std::vector<std::string>>{{"x"},
                                                                                    {"b"},
                                                                                    {"a", "c"},
                                                                                    {"a", "b", "c"},
                                                                                    {"l", "2"},
                                                                                    {"l", "-1"},
                                                                                    {"l", "01"},
                                                                                    {"l", "k"},
                                                                                    {"s", "0"},
                                                                                    {"a", "0"}}) {
    EXPECT_EQ(text_of(kData, path), "(none)") << path.back();
  }
  EXPECT_EQ(text_of("{}", {"a"}), "(none)");
}

TEST(ReadField, ObjectsAndArraysAreCompactJson) {
  constexpr std::string_view kData =
      R"({"o":{"a":[1,{"b":"x"},[]],"c":null,"d":{}},"l":["q",true]})";
  EXPECT_EQ(text_of(kData, {"o"}), R"({"a":[1,{"b":"x"},[]],"c":null,"d":{}})");
  EXPECT_EQ(text_of(kData, {"l"}), R"(["q",true])");
  EXPECT_EQ(text_of(kData, {}), kData);
}

TEST(ReadField, OfTwoEqualKeysTheFirstCounts) {
  EXPECT_EQ(text_of(R"({"a":1,"a":2})", {"a"}), "1");
  EXPECT_EQ(text_of(R"({"a":1,"a":{"b":2}})", {"a", "b"}), "(none)");
}

TEST(ReadField, BrokenDataIsAnErrorBeforeTheFieldAndHasNoMemory) {
  EXPECT_EQ(text_of(R"({"x":tru,"a":1})", {"a"}), "(error)");
  EXPECT_EQ(text_of(R"({"x":1)", {"a"}), "(error)");
  EXPECT_EQ(text_of("", {"a"}), "(error)");
  EXPECT_EQ(text_of("{\"x\":\"\xff\"}", {"a"}), "(error)");
  EXPECT_EQ(text_of(R"({"a":1})", {"a"}), "1");
}

TEST(ReadField, DepthIsNoDanger) {
  const std::string deep(20'000, '[');
  const std::string shut(20'000, ']');
  EXPECT_EQ(text_of(R"({"d":)" + deep + shut + R"(,"a":1})", {"b"}).substr(0, 1), "(");
}

}  // namespace
}  // namespace holdfast::journal
