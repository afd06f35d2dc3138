// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_document.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

// A text in short: `<a` is the begin marker of a, `a>` its end marker, `?` a malformed one;
// anything else is itself.
std::string block_document_text_of(std::initializer_list<std::string_view> lines,
                                   const BlockSyntax& syntax) {
  std::string text;
  for (const std::string_view line : lines) {
    if (line.starts_with('<')) {
      text += begin_line(syntax, line.substr(1), "0123456789abcdef");
    } else if (line.ends_with('>')) {
      text += end_line(syntax, line.substr(0, line.size() - 1));
    } else {
      text += line == "?" ? "<!-- >>> holdfast x -->" : line;
    }
    text += "\n";
  }
  return text;
}

struct Seen {
  std::string blocks;     // "a:1-3 b:4-6"
  std::string anomalies;  // "2:orphan-begin:a"

  bool operator==(const Seen&) const = default;
};

Seen parse(std::initializer_list<std::string_view> lines, std::string_view path = "x.md") {
  const BlockSyntax syntax = block_syntax(path, {}, {}).value();
  const std::string text = block_document_text_of(lines, syntax);
  const auto document = parse_blocks(text, syntax, path);
  EXPECT_TRUE(document);
  Seen seen;
  for (const ManagedBlock& block : document->blocks) {
    seen.blocks += (seen.blocks.empty() ? "" : " ") + std::string(block.id) + ":" +
                   std::to_string(block.first_line) + "-" + std::to_string(block.last_line);
  }
  for (const MarkerAnomaly& anomaly : document->anomalies) {
    seen.anomalies += (seen.anomalies.empty() ? "" : " ") + std::to_string(anomaly.line) + ":" +
                      std::string(to_text(anomaly.kind)) + ":" + std::string(anomaly.id);
  }
  return seen;
}

TEST(BlockDocument, WellFormedBlocksAreListedWithTheirLines) {
  EXPECT_EQ(parse({}), (Seen{"", ""}));
  EXPECT_EQ(parse({"text"}), (Seen{"", ""}));
  EXPECT_EQ(parse({"t", "<a", "x", "a>", "t", "<b", "b>"}), (Seen{"a:2-4 b:6-7", ""}));
}

TEST(BlockDocument, AMissingPartnerIsAnOrphan) {
  EXPECT_EQ(parse({"<a", "t"}), (Seen{"", "1:orphan-begin:a"}));
  EXPECT_EQ(parse({"t", "a>"}), (Seen{"", "2:orphan-end:a"}));
  EXPECT_EQ(parse({"<a", "user", "<a", "x", "a>"}), (Seen{"a:3-5", "1:orphan-begin:a"}));
  EXPECT_EQ(parse({"<a", "a>", "t", "a>"}), (Seen{"a:1-2", "4:orphan-end:a"}));
  EXPECT_EQ(parse({"<a", "b>", "a>"}), (Seen{"a:1-3", "2:orphan-end:b"}));
}

TEST(BlockDocument, AnEndBeforeItsBeginIsReversed) {
  EXPECT_EQ(parse({"a>", "t", "<a"}), (Seen{"", "1:reversed:a 3:reversed:a"}));
  EXPECT_EQ(parse({"a>", "<a", "a>"}), (Seen{"a:2-3", "1:orphan-end:a"}));
}

TEST(BlockDocument, TheOuterOfTwoNestedPairsIsNoBlock) {
  EXPECT_EQ(parse({"<a", "<b", "b>", "a>"}), (Seen{"b:2-3", "1:nested:a 4:nested:a"}));
  EXPECT_EQ(parse({"<a", "<b", "<c", "c>", "b>", "a>"}),
            (Seen{"c:3-4", "1:nested:a 2:nested:b 5:nested:b 6:nested:a"}));
}

TEST(BlockDocument, OverlappingPairsAreCrossed) {
  EXPECT_EQ(parse({"<a", "<b", "a>", "b>"}),
            (Seen{"", "1:crossed:a 2:crossed:b 3:crossed:a 4:crossed:b"}));
}

TEST(BlockDocument, ASecondBlockOfAnIdIsADuplicate) {
  EXPECT_EQ(parse({"<a", "a>", "<a", "a>", "<a", "a>"}),
            (Seen{"a:1-2", "3:duplicate:a 4:duplicate:a 5:duplicate:a 6:duplicate:a"}));
  EXPECT_EQ(parse({"<b", "<a", "a>", "b>", "<a", "a>"}),
            (Seen{"a:2-3", "1:nested:b 4:nested:b 5:duplicate:a 6:duplicate:a"}));
}

TEST(BlockDocument, MarkersInAFenceAreNoted) {
  EXPECT_EQ(parse({"```", "<a", "a>", "```", "<b", "b>"}),
            (Seen{"b:5-6", "2:in-fence:a 3:in-fence:a"}));
  EXPECT_EQ(parse({"<a", "```", "a>"}), (Seen{"", "1:orphan-begin:a 3:in-fence:a"}));
  EXPECT_EQ(parse({"<a", "```", "x", "```", "a>"}), (Seen{"a:1-5", ""}));
  EXPECT_EQ(parse({"~~~", "?", "~~~"}), (Seen{"", "2:in-fence:"}));
  EXPECT_EQ(parse({"```", "<a", "a>", "```"}, "x.html"), (Seen{"a:2-3", ""}));
}

TEST(BlockDocument, MalformedMarkersAreNoted) {
  EXPECT_EQ(parse({"?", "<a", "a>"}), (Seen{"a:2-3", "1:malformed:"}));
}

TEST(BlockDocument, TheErrorNamesEveryLine) {
  const BlockSyntax syntax = block_syntax("x.md", {}, {}).value();
  const std::string text = block_document_text_of({"<a", "b>"}, syntax);
  const auto document = parse_blocks(text, syntax, "x.md");
  const Error error = anomalies_error("x.md", document->anomalies);
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.cause, "orphan-begin");
  EXPECT_NE(error.detail.find("line 1: orphan-begin 'a', line 2: orphan-end 'b'"),
            std::string::npos)
      << error.detail;
}

TEST(BlockDocument, WhatIsNoTextIsRefused) {
  const BlockSyntax syntax = block_syntax("x", {}, {}).value();
  using namespace std::string_view_literals;
  for (const std::string_view bytes : {"a\0b"sv, "\xFF\xFE\x61"sv, "\xFE\xFF"sv}) {
    const auto document = parse_blocks(bytes, syntax, "x");
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().cause, "not-text");
    EXPECT_EQ(document.error().code, ErrorCode::kCorrupt);
  }
  EXPECT_TRUE(parse_blocks("\xE9 latin", syntax, "x"));
}

TEST(BlockDocument, TooManyMarkersAreRefused) {
  const BlockSyntax syntax = block_syntax("x", {}, {}).value();
  std::string text;
  for (std::size_t i = 0; i < kMostMarkers; ++i) text += "# <<< holdfast x\n";
  EXPECT_EQ(parse_blocks(text, syntax, "x")->anomalies.size(), kMostMarkers);
  EXPECT_EQ(parse_blocks(text + "# <<< holdfast x", syntax, "x").error().cause, "too-many-markers");
}

TEST(BlockDocument, ACustomPairIsFoundBesideOwnBlocks) {
  const BlockSyntax syntax =
      block_syntax(".env", {}, CustomMarkers{"# BEGIN x", "# END x"}).value();
  const std::string text =
      "# BEGIN x\nA=1\n  # END x\n# >>> holdfast x sha256:0123456789abcdef\n"
      "# <<< holdfast x";
  const auto document = parse_blocks(text, syntax, ".env");
  ASSERT_TRUE(document);
  ASSERT_EQ(document->blocks.size(), 2U);
  EXPECT_TRUE(document->anomalies.empty());
  EXPECT_EQ(document->find(syntax, "x"), document->blocks.data());
  EXPECT_EQ(document->blocks[0].content_of(text), "A=1\n");
  EXPECT_FALSE(document->blocks[1].ended);
}

}  // namespace
}  // namespace holdfast
