// SPDX-License-Identifier: Apache-2.0
//
// The contract of FieldReader as tests, for each implementation:
//
//   INSTANTIATE_TEST_SUITE_P(Json, FieldReaderContract, ::testing::Values(make_json_field_reader));
//
// Include it in one file of a test program.
#pragma once

#include <gtest/gtest.h>  // lint: os_only only tests include this

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "journal/field_reader.h"

namespace holdfast::journal {

using MakeFieldReader = std::unique_ptr<FieldReader> (*)();

class FieldReaderContract : public ::testing::TestWithParam<MakeFieldReader> {
 protected:
  // The text, "(none)" for nothing, "(error)" for an error.
  std::string read(std::string_view data, const std::vector<std::string>& path) {
    const auto value = reader_->read(data, path);
    if (!value) return value.error().cause == "bad-data" ? "(error)" : "(another error)";
    return value->value_or("(none)");
  }

  std::unique_ptr<FieldReader> reader_ = GetParam()();
};

TEST_P(FieldReaderContract, ScalarsAreTheirTexts) {
  constexpr std::string_view kData =
      R"({"s":"a\"\u00e9\n","i":-12,"u":18446744073709551615,"f":1.50,"e":1e3,"z":-0,"t":true,"n":null,"":"empty"})";
  EXPECT_EQ(read(kData, {"s"}), "a\"\u00e9\n");
  EXPECT_EQ(read(kData, {"i"}), "-12");
  EXPECT_EQ(read(kData, {"u"}), "18446744073709551615");
  EXPECT_EQ(read(kData, {"f"}), "1.50");
  EXPECT_EQ(read(kData, {"e"}), "1e3");
  EXPECT_EQ(read(kData, {"z"}), "-0");
  EXPECT_EQ(read(kData, {"t"}), "true");
  EXPECT_EQ(read(kData, {"n"}), "null");
  EXPECT_EQ(read(kData, {""}), "empty");
}

TEST_P(FieldReaderContract, PathsGoDownObjectsAndArrays) {
  constexpr std::string_view kData =
      R"({"x":{"b":0},"a":{"x":[9],"b":{"c":"deep"}},"l":[[1,2],{"k":3},"last"],"b":1})";
  EXPECT_EQ(read(kData, {"a", "b", "c"}), "deep");
  EXPECT_EQ(read(kData, {"l", "0", "1"}), "2");
  EXPECT_EQ(read(kData, {"l", "1", "k"}), "3");
  EXPECT_EQ(read(kData, {"l", "2"}), "last");
  EXPECT_EQ(read(kData, {"b"}), "1");
}

TEST_P(FieldReaderContract, WhatIsNotThereIsNothing) {
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
    EXPECT_EQ(read(kData, path), "(none)") << path.back();
  }
  EXPECT_EQ(read("{}", {"a"}), "(none)");
}

TEST_P(FieldReaderContract, ObjectsAndArraysAreCompactJson) {
  constexpr std::string_view kData =
      R"({"o":{"a":[1,{"b":"x"},[]],"c":null,"d":{}},"l":["q",true]})";
  EXPECT_EQ(read(kData, {"o"}), R"({"a":[1,{"b":"x"},[]],"c":null,"d":{}})");
  EXPECT_EQ(read(kData, {"l"}), R"(["q",true])");
  EXPECT_EQ(read(kData, {}), kData);
}

TEST_P(FieldReaderContract, OfTwoEqualKeysTheFirstCounts) {
  EXPECT_EQ(read(R"({"a":1,"a":2})", {"a"}), "1");
  EXPECT_EQ(read(R"({"a":1,"a":{"b":2}})", {"a", "b"}), "(none)");
}

TEST_P(FieldReaderContract, BrokenDataIsAnErrorBeforeTheFieldAndHasNoMemory) {
  EXPECT_EQ(read(R"({"x":tru,"a":1})", {"a"}), "(error)");
  EXPECT_EQ(read(R"({"x":1)", {"a"}), "(error)");
  EXPECT_EQ(read("", {"a"}), "(error)");
  EXPECT_EQ(read("{\"x\":\"\xff\"}", {"a"}), "(error)");
  EXPECT_EQ(read(R"({"a":1})", {"a"}), "1");
}

TEST_P(FieldReaderContract, DepthIsNoDanger) {
  const std::string deep(20'000, '[');
  const std::string shut(20'000, ']');
  EXPECT_EQ(read(R"({"d":)" + deep + shut + R"(,"a":1})", {"b"}).substr(0, 1), "(");
}

}  // namespace holdfast::journal
