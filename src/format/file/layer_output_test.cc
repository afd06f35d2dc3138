// SPDX-License-Identifier: Apache-2.0
#include "format/file/layer_output.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using LayerOutputWords = std::vector<std::string>;
using namespace std::string_view_literals;

std::string layer_output_cause_of(std::string_view bytes, LayerOutput output) {
  const auto words = split_layer_output(bytes, output);
  if (words) return "accepted";
  EXPECT_EQ(words.error().code, ErrorCode::kCorrupt);
  return words.error().cause;
}

TEST(LayerOutput, LinesAreTakenByteForByte) {
  const auto words = split_layer_output("a b\n 'c'\\ \r\n\xff\n", LayerOutput::kLines);
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, (LayerOutputWords{"a b", " 'c'\\ \r", "\xff"}));
}

TEST(LayerOutput, NulSeparatedArgumentsMayHoldNewlinesAndBeEmpty) {
  const auto words = split_layer_output("a\nb\0\0\n\0"sv, LayerOutput::kNul);
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, (LayerOutputWords{"a\nb", "", "\n"}));
}

TEST(LayerOutput, CutAnywhereButBehindAnArgumentItIsRefused) {
  const std::string whole = "first\nsecond\nthird\n";
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    const bool at_end = cut.ends_with('\n');
    EXPECT_EQ(layer_output_cause_of(cut, LayerOutput::kLines), at_end ? "accepted" : "unfinished")
        << length;
  }
  EXPECT_EQ(layer_output_cause_of("a\0b"sv, LayerOutput::kNul), "unfinished");
  EXPECT_EQ(layer_output_cause_of("a\n", LayerOutput::kNul), "unfinished");
}

TEST(LayerOutput, NoBytesAreNoArguments) {
  EXPECT_EQ(split_layer_output("", LayerOutput::kLines).value(), LayerOutputWords{});
  EXPECT_EQ(split_layer_output("", LayerOutput::kNul).value(), LayerOutputWords{});
}

TEST(LayerOutput, AnEmptyLineIsNoArgument) {
  EXPECT_EQ(layer_output_cause_of("\n", LayerOutput::kLines), "empty-line");
  EXPECT_EQ(layer_output_cause_of("a\n\nb\n", LayerOutput::kLines), "empty-line");
  EXPECT_EQ(layer_output_cause_of("a\n\n", LayerOutput::kLines), "empty-line");
}

TEST(LayerOutput, ANulByteInLinesIsAMistakenFormat) {
  EXPECT_EQ(layer_output_cause_of("a\0b\0\n"sv, LayerOutput::kLines), "nul-byte");
}

}  // namespace
}  // namespace holdfast
