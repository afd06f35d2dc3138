// SPDX-License-Identifier: Apache-2.0
#include "format/file/layer_plan.h"

#include <gtest/gtest.h>

#include "base/path_text.h"

namespace holdfast {
namespace {

using Words = std::vector<std::string>;
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
  EXPECT_EQ(*words, (Words{"a b", " 'c'\\ \r", "\xff"}));
}

TEST(LayerOutput, NulSeparatedArgumentsMayHoldNewlinesAndBeEmpty) {
  const auto words = split_layer_output("a\nb\0\0\n\0"sv, LayerOutput::kNul);
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, (Words{"a\nb", "", "\n"}));
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
  EXPECT_EQ(split_layer_output("", LayerOutput::kLines).value(), Words{});
  EXPECT_EQ(split_layer_output("", LayerOutput::kNul).value(), Words{});
}

TEST(LayerOutput, AnEmptyLineIsNoArgument) {
  EXPECT_EQ(layer_output_cause_of("\n", LayerOutput::kLines), "empty-line");
  EXPECT_EQ(layer_output_cause_of("a\n\nb\n", LayerOutput::kLines), "empty-line");
  EXPECT_EQ(layer_output_cause_of("a\n\n", LayerOutput::kLines), "empty-line");
}

TEST(LayerOutput, ANulByteInLinesIsAMistakenFormat) {
  EXPECT_EQ(layer_output_cause_of("a\0b\0\n"sv, LayerOutput::kLines), "nul-byte");
}

// "cause at FILE:LINE"
std::string refusal_of(std::string_view text) {
  const auto plan = parse_layer_plan(text, "p.toml");
  if (plan) return "accepted";
  EXPECT_EQ(plan.error().code, ErrorCode::kConfig);
  return plan.error().cause + " at " + plan.error().subject;
}

// A plan whose one layer, on line 1, has these lines from line 2 on.
std::string layer_refusal(const std::string& lines) { return refusal_of("[[layer]]\n" + lines); }

TEST(LayerPlan, EveryKeyIsRead) {
  const std::string hex(64, 'a');
  const auto plan = parse_layer_plan(
      "expect = 3\n"
      "[[layer]]\nname = \"base\"\nrequired = true\nargs = [\"a\", \"${B}\"]\n"
      "[[layer]]\nname = \"made\"\ncommand = [\"gen\", \"x\"]\noutput = \"nul\"\n"
      "timeout = \"1m\"\nmay_be_empty = true\ndigest = \"sha256:" +
          hex + "\"\nwhen = \"test -e x\"\n",
      "p.toml");
  ASSERT_TRUE(plan) << to_sentence(plan.error());
  EXPECT_EQ(plan->expect, 3U);
  ASSERT_EQ(plan->layers.size(), 2U);
  const Layer& base = plan->layers[0];
  EXPECT_EQ(base.name, "base");
  EXPECT_TRUE(base.required);
  EXPECT_EQ(base.args, (Words{"a", "${B}"}));
  EXPECT_EQ(base.line, 2);
  EXPECT_EQ(base.timeout, std::chrono::seconds(10));
  const Layer& made = plan->layers[1];
  EXPECT_EQ(made.command, (Words{"gen", "x"}));
  EXPECT_EQ(made.when, shell_words("test -e x"));
  EXPECT_EQ(made.output, LayerOutput::kNul);
  EXPECT_EQ(made.timeout, std::chrono::minutes(1));
  EXPECT_TRUE(made.may_be_empty);
  EXPECT_EQ(to_hex(made.digest.value()), hex);
}

TEST(LayerPlan, KeepsTheOrderOfTheText) {
  const auto plan = parse_layer_plan(
      "[[layer]]\nname=\"z\"\nargs=[\"1\"]\n[[layer]]\nname=\"a\"\nargs=[\"2\"]\n"
      "[[layer]]\nname=\"m\"\nargs=[\"3\"]\n",
      "p.toml");
  ASSERT_TRUE(plan);
  std::string names;
  for (const Layer& layer : plan->layers) names += layer.name;
  EXPECT_EQ(names, "zam");
}

TEST(LayerPlan, APlanWithoutLayersIsRefused) {
  EXPECT_EQ(refusal_of(""), "no-layers at p.toml:1:1");
  EXPECT_EQ(refusal_of("layer = []"), "no-layers at p.toml:1:1");
  EXPECT_EQ(refusal_of("[[layers]]\nname='a'\nargs=['a']\n"), "toml-unknown-key at p.toml:1:3");
}

TEST(LayerPlan, ARequiredLayerNeverStandsBehindOneThatCanBeLeftOut) {
  EXPECT_EQ(refusal_of("[[layer]]\nname='a'\nargs=['a']\n"
                       "[[layer]]\nname='guard'\nrequired=true\nargs=['g']\n"),
            "required-after-optional at p.toml:4:1");
  EXPECT_EQ(refusal_of("[[layer]]\nname='guard'\nrequired=true\nargs=['g']\n"
                       "[[layer]]\nname='a'\nargs=['a']\n"),
            "accepted");
}

TEST(LayerPlan, ARequiredLayerCannotFailOrBeLeftOut) {
  EXPECT_EQ(layer_refusal("name='a'\nrequired=true\ncommand=['gen']\n"),
            "not-infallible at p.toml:4:1");
  EXPECT_EQ(layer_refusal("name='a'\nrequired=true\nargs=['b']\nwhen='true'\n"),
            "not-infallible at p.toml:5:1");
}

TEST(LayerPlan, TwoLayersOfOneNameAreRefused) {
  EXPECT_EQ(refusal_of("[[layer]]\nname='a'\nargs=['a']\n[[layer]]\nname='a'\nargs=['b']\n"),
            "duplicate-name at p.toml:4:1");
}

TEST(LayerPlan, ALayerHasExactlyOneSourceThatSaysSomething) {
  EXPECT_EQ(layer_refusal("name='a'\n"), "bad-layer at p.toml:2:1");
  EXPECT_EQ(layer_refusal("name='a'\nargs=['x']\ncommand='y'\n"), "bad-layer at p.toml:4:1");
  EXPECT_EQ(layer_refusal("name='a'\nargs=[]\n"), "bad-value at p.toml:3:1");
  EXPECT_EQ(layer_refusal("name='a'\ncommand=[]\n"), "toml-type at p.toml:3:1");
  EXPECT_EQ(layer_refusal("name=''\nargs=['x']\n"), "bad-value at p.toml:2:1");
  EXPECT_EQ(layer_refusal("args=['x']\n"), "toml-missing at p.toml:1:1");
}

TEST(LayerPlan, AMisspeltKeyIsCalledThatAndNotAMissingOne) {
  EXPECT_EQ(layer_refusal("name='a'\ncomand='x'\n"), "toml-unknown-key at p.toml:3:1");
  EXPECT_EQ(layer_refusal("name='a'\nargs=['x']\nrequire=true\n"),
            "toml-unknown-key at p.toml:4:1");
}

TEST(LayerPlan, AKeyThatDoesNotFitIsRefused) {
  const std::string args = "name='a'\nargs=['x']\n";
  EXPECT_EQ(layer_refusal(args + "output='nul'\n"), "bad-layer at p.toml:4:1");
  EXPECT_EQ(layer_refusal(args + "may_be_empty=true\n"), "bad-layer at p.toml:4:1");
  EXPECT_EQ(layer_refusal(args + "timeout='1s'\n"), "bad-layer at p.toml:4:1");
  EXPECT_EQ(layer_refusal(args + "timeout='1s'\nwhen='true'\n"), "accepted");
  EXPECT_EQ(
      layer_refusal("name='a'\nargs=['x','y']\ndigest='sha256:" + std::string(64, '0') + "'\n"),
      "bad-layer at p.toml:4:1");
}

TEST(LayerPlan, AValueOutsideItsRangeIsRefused) {
  const std::string command = "name='a'\ncommand='x'\n";
  EXPECT_EQ(layer_refusal(command + "output='csv'\n"), "bad-value at p.toml:4:1");
  EXPECT_EQ(layer_refusal(command + "timeout='soon'\n"), "bad-value at p.toml:4:1");
  EXPECT_EQ(layer_refusal(command + "timeout='0s'\n"), "bad-value at p.toml:4:1");
  EXPECT_EQ(layer_refusal(command + "digest='" + std::string(64, '0') + "'\n"),
            "bad-value at p.toml:4:1");
  EXPECT_EQ(layer_refusal(command + "digest='sha256:12'\n"), "bad-value at p.toml:4:1");
  EXPECT_EQ(refusal_of("expect=-1\n[[layer]]\nname='a'\nargs=['x']\n"), "bad-value at p.toml:1:1");
}

TEST(LayerPlan, TextThatTheTomlLibraryTakesForGrantedIsAnErrorAndNoAbort) {
  EXPECT_EQ(refusal_of("[[\x7f]]\n"), "toml-syntax at p.toml:1:3");
  EXPECT_EQ(refusal_of("\xef\xbb\x9f*b\n"), "toml-syntax at p.toml:1:1");
  EXPECT_EQ(refusal_of("a = 1\n\xc3\xbc = 1\n"), "toml-syntax at p.toml:2:1");
}

TEST(LayerPlan, ANulByteInAWordIsRefused) {
  EXPECT_EQ(layer_refusal("name='a'\nargs=[\"x\\u0000y\"]\n"), "toml-type at p.toml:3:1");
  EXPECT_EQ(layer_refusal("name='a'\ncommand=[\"x\\u0000y\"]\n"), "toml-type at p.toml:3:1");
}

}  // namespace
}  // namespace holdfast
