// SPDX-License-Identifier: Apache-2.0
#include "journal/read/anchor.h"

#include <gtest/gtest.h>

namespace holdfast::journal {
namespace {

constexpr std::string_view kGolden =
    R"({"v":1,"journal":"000102030405060708090a0b0c0d0e0f","seq":7,)"
    R"("head":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","time":"2024-02-29T12:30:45.123Z"})"
    "\n";

Anchor golden() {
  Anchor anchor{.journal = *parse_id128("000102030405060708090a0b0c0d0e0f"),
                .seq = 7,
                .time = WallTime(std::chrono::milliseconds(1'709'209'845'123))};
  anchor.head.bytes[0] = 1;
  return anchor;
}

TEST(Anchor, GoldenLineIsWrittenAndRead) {
  EXPECT_EQ(encode_anchor(golden()), kGolden);
  const auto anchor = parse_anchor(kGolden, "a");
  ASSERT_TRUE(anchor);
  EXPECT_EQ(*anchor, golden());
}

TEST(Anchor, CutAtEveryByteItIsCorrupt) {
  for (std::size_t length = 0; length + 1 < kGolden.size(); ++length) {
    const auto anchor = parse_anchor(kGolden.substr(0, length), "a");
    ASSERT_FALSE(anchor) << length;
    EXPECT_EQ(anchor.error().code, ErrorCode::kCorrupt);
  }
}

TEST(Anchor, ANewerOneIsCannotTell) {
  EXPECT_EQ(parse_anchor(R"({"v":2})", "a").error().code, ErrorCode::kCannotTell);
}

TEST(Anchor, EveryWrongFieldIsCorrupt) {
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"0001", "00x1"},
                                                        {":7", ":-7"},
                                                        {":7", ":0"},
                                                        {":7", ":7.5"},
                                                        {"AQAA", "AQA"},
                                                        {"2024", "24"},
                                                        {"\"time\"", "\"tame\""}}) {
    std::string line(kGolden);
    line.replace(line.find(from), from.size(), to);
    const auto anchor = parse_anchor(line, "a");
    ASSERT_FALSE(anchor) << line;
    EXPECT_EQ(anchor.error().code, ErrorCode::kCorrupt);
  }
}

TEST(Anchor, AFileOfThemIsReadAndABadLineIsNamed) {
  const std::string twice = std::string(kGolden) + "\n" + std::string(kGolden);
  EXPECT_EQ(parse_anchors(twice, "f")->size(), 2U);
  for (const char* nothing : {"", "\n", "\n\n"}) {
    const auto none = parse_anchors(nothing, "f");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kCorrupt);
  }
  const auto bad = parse_anchors(std::string(kGolden) + "x\n", "f");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().subject, "f:2");
}

}  // namespace
}  // namespace holdfast::journal
