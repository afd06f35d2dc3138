// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_change.h"

#include <gtest/gtest.h>

#include "format/file/block_document.h"
#include "format/file/block_test_hash.h"

namespace holdfast {
namespace {

using Where = BlockPlace::Where;

class BlockChangeTest : public ::testing::Test {
 protected:
  BlockTask task(std::string_view id = "a") const {
    return {.path = "x", .syntax = syntax_, .id = id, .hash = test_hash};
  }
  void use(std::string_view path, std::optional<CustomMarkers> custom = {}) {
    syntax_ = block_syntax(path, {}, std::move(custom)).value();
  }
  std::string put(const std::string& text, std::string_view content, BlockPlace place = {}) {
    const auto change =
        put_block(text, task(), {.content = content, .place = std::move(place)}, line_);
    EXPECT_TRUE(change) << to_sentence(change.error());
    return change ? (change->changed ? change->text : text) : "";
  }
  std::string removed(const std::string& text) {
    const auto change = remove_block(text, task(), Edits::kRefuse, line_);
    EXPECT_TRUE(change) << to_sentence(change.error());
    return change ? change->text : "";
  }
  Error put_error(const std::string& text, std::string_view content, BlockPlace place = {}) {
    const auto change =
        put_block(text, task(), {.content = content, .place = std::move(place)}, line_);
    EXPECT_FALSE(change);
    return change ? Error{} : change.error();
  }
  std::string begin(std::string_view content) const {
    return begin_line(syntax_, "a", marker_digest(block_digest(content, test_hash)));
  }

  BlockSyntax syntax_ = block_syntax("x.sh", {}, {}).value();
  std::size_t line_ = 0;
};

TEST_F(BlockChangeTest, ANewBlockGoesToTheEndAndComesOutWithoutATrace) {
  const std::string block = begin("c\n") + "\nc\n# <<< holdfast a";
  EXPECT_EQ(put("", "c\n"), block + "\n");
  EXPECT_EQ(put("t\n", "c"), "t\n" + block + "\n");
  EXPECT_EQ(put("t", "c"), "t\n" + block);
  for (const std::string text : {"", "t", "t\n", "t\n\n", "\n", "t\r\n", "t\r", "\xEF\xBB\xBF",
                                 "\xEF\xBB\xBFt", "a\r\nb", "a\r\nb\r", "a\r\nb\nc"}) {
    EXPECT_EQ(removed(put(text, "c\nd")), text);
    EXPECT_EQ(removed(put(text, "c\r\nd\r\n")), text);
  }
}

TEST_F(BlockChangeTest, LineEndsBecomeThoseOfTheText) {
  EXPECT_EQ(put("t\r\n", "c\nd\n"),
            "t\r\n" + begin("c\nd\n") + "\r\nc\r\nd\r\n# <<< holdfast a\r\n");
  EXPECT_EQ(put("t\n", "c\r\nd"), "t\n" + begin("c\nd\n") + "\nc\nd\n# <<< holdfast a\n");
  EXPECT_EQ(put("", "c\r\n"), begin("c\n") + "\r\nc\r\n# <<< holdfast a\r\n");
}

TEST_F(BlockChangeTest, TheSameContentChangesNothing) {
  const std::string text = put("t\r\n", "c\n");
  const auto again = put_block(text, task(), {.content = "c\r\n"}, line_);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->changed);
  EXPECT_EQ(again->old_digest, again->new_digest);
}

TEST_F(BlockChangeTest, ReplacingKeepsThePlaceAndTheFormOfTheMarkers) {
  const std::string text = "t\n  " + begin("c\n") + "\nc\n\t# <<< holdfast a \nu";
  EXPECT_EQ(put(text, "dd\n", {.where = Where::kStart}),
            "t\n  " + begin("dd\n") + "\ndd\n\t# <<< holdfast a \nu");
}

TEST_F(BlockChangeTest, PlacesOfANewBlock) {
  const std::string block = begin("c\n") + "\nc\n# <<< holdfast a\n";
  EXPECT_EQ(put("t\nu\n", "c", {.where = Where::kStart}), block + "t\nu\n");
  EXPECT_EQ(put("#!/bin/sh\nu\n", "c", {.where = Where::kStart}), "#!/bin/sh\n" + block + "u\n");
  EXPECT_EQ(put("\xEF\xBB\xBFu", "c", {.where = Where::kStart}), "\xEF\xBB\xBF" + block + "u");
  EXPECT_EQ(put("t\nu\n", "c", {.where = Where::kBefore, .line = "u"}), "t\n" + block + "u\n");
  EXPECT_EQ(put("t\nu\n", "c", {.where = Where::kAfter, .line = "t"}), "t\n" + block + "u\n");
  EXPECT_EQ(put("t\nu", "c", {.where = Where::kAfter, .line = "u"}),
            "t\nu\n" + block.substr(0, block.size() - 1));
  EXPECT_EQ(put("#!/bin/sh", "c", {.where = Where::kStart}),
            "#!/bin/sh\n" + block.substr(0, block.size() - 1));
}

TEST_F(BlockChangeTest, TheStartOfMarkdownIsBehindItsFrontMatter) {
  use("x.md");
  EXPECT_TRUE(put("---\nt: 1\n---\nu\n", "c", {.where = Where::kStart})
                  .starts_with("---\nt: 1\n---\n<!-- >>> "));
  EXPECT_TRUE(put("---\nu\n", "c", {.where = Where::kStart}).starts_with("<!-- >>> "));
  use("x.xml");
  EXPECT_TRUE(put("<?xml version=\"1.0\"?>\n<a/>\n", "c", {.where = Where::kStart})
                  .starts_with("<?xml version=\"1.0\"?>\n<!-- >>> "));
}

TEST_F(BlockChangeTest, AnAnchorIsThereOnceOutsideOfBlocks) {
  const Error none = put_error("t\n t\n", "c", {.where = Where::kBefore, .line = "u"});
  EXPECT_EQ(none.cause, "anchor-not-found");
  EXPECT_EQ(none.code, ErrorCode::kCorrupt);
  const Error two = put_error("u\nt\nu", "c", {.where = Where::kAfter, .line = "u"});
  EXPECT_EQ(two.cause, "anchor-ambiguous");
  EXPECT_NE(two.detail.find("1, 3"), std::string::npos);
  const std::string other =
      begin_line(syntax_, "b", "0123456789abcdef") + "\nu\n# <<< holdfast b\n";
  EXPECT_EQ(put_error(other, "c", {.where = Where::kAfter, .line = "u"}).cause, "anchor-not-found");
  EXPECT_TRUE(put(other + "u\n", "c", {.where = Where::kBefore, .line = "u"}).starts_with(other));
}

TEST_F(BlockChangeTest, NoBlockIsPutIntoAFence) {
  use("x.md");
  EXPECT_EQ(put_error("t\n```\nu\n", "c").cause, "in-fence");
  EXPECT_EQ(line_, 2U);
  EXPECT_EQ(put_error("```\nu\n```\n", "c", {.where = Where::kAfter, .line = "u"}).cause,
            "in-fence");
  EXPECT_TRUE(put("```x\nu\n```\n", "c", {.where = Where::kBefore, .line = "```x"})
                  .ends_with("holdfast a -->\n```x\nu\n```\n"));
}

TEST_F(BlockChangeTest, ContentThatCannotBeABlockIsRefused) {
  using namespace std::string_view_literals;
  EXPECT_EQ(put_error("t\n", "").cause, "empty");
  EXPECT_EQ(put_error("t\n", "a\0"sv).cause, "content-not-text");
  EXPECT_EQ(put_error("t\n", "x\n # <<< holdfast zz\n").cause, "content-has-marker");
  EXPECT_EQ(put_error("t\n", "\xEF\xBB\xBF# >>> holdfast a").cause, "content-has-marker");
  use("x.md");
  EXPECT_EQ(put_error("t\n", "```sh\nx\n").cause, "content-opens-fence");
  EXPECT_NE(put("t\n", "```sh\nx\n```\n"), "");
  use(".env", CustomMarkers{"# BEGIN", "# END"});
  EXPECT_EQ(put_error("t\n", "x\n# BEGIN\n").cause, "content-has-marker");
  EXPECT_EQ(put_error("t\n", "x\n# <<< holdfast b\n").cause, "content-has-marker");
}

TEST_F(BlockChangeTest, AnEmptyBlockIsPossibleWhereAsked) {
  const auto change = put_block("t", task(), {.content = "", .allow_empty = true}, line_);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->text, "t\n" + begin("") + "\n# <<< holdfast a");
  EXPECT_EQ(get_block(change->text, task(), line_).value_or("?"), "");
  EXPECT_EQ(removed(change->text), "t");
}

TEST_F(BlockChangeTest, AMarkOfTheContentIsDropped) {
  EXPECT_EQ(put("t\n", "\xEF\xBB\xBFx\n"), put("t\n", "x\n"));
}

TEST_F(BlockChangeTest, EditsByHandAreNotOverwritten) {
  std::string text = put("t\n", "mine\n");
  text.replace(text.find("mine"), 4, "ours");
  const Error error = put_error(text, "new\n");
  EXPECT_EQ(error.code, ErrorCode::kRefused);
  EXPECT_EQ(error.cause, "edited-inside");
  EXPECT_EQ(line_, 2U);
  EXPECT_EQ(remove_block(text, task(), Edits::kRefuse, line_).error().cause, "edited-inside");
  EXPECT_EQ(remove_block(text, task(), Edits::kOverwrite, line_)->text, "t\n");
  const auto forced =
      put_block(text, task(), {.content = "new\n", .edits = Edits::kOverwrite}, line_);
  ASSERT_TRUE(forced);
  EXPECT_EQ(forced->text, "t\n" + begin("new\n") + "\nnew\n# <<< holdfast a\n");
  EXPECT_EQ(put(text, "ours\n"), "t\n" + begin("ours\n") + "\nours\n# <<< holdfast a\n")
      << "the same edit loses nothing";
}

TEST_F(BlockChangeTest, ConvertedLineEndsAreNoEdit) {
  const std::string text = put("t\n", "a\nb\n");
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(put(crlf, "a\nb\n"), crlf);
}

TEST_F(BlockChangeTest, AnyAnomalyRefusesEveryChange) {
  const std::string text = "# >>> holdfast b sha256:0123456789abcdef\nuser\n";
  EXPECT_EQ(put_error(text, "c").cause, "orphan-begin");
  EXPECT_EQ(line_, 1U);
  EXPECT_EQ(remove_block(text, task(), Edits::kOverwrite, line_).error().cause, "orphan-begin");
  EXPECT_EQ(get_block(text, task(), line_).error().cause, "orphan-begin");
}

TEST_F(BlockChangeTest, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(remove_block("t", task(), Edits::kRefuse, line_).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(get_block("t", task(), line_).error().cause, "no-such-block");
}

TEST_F(BlockChangeTest, AMarkInTheMiddleDoesNotBecomeTheFirstBytes) {
  for (const std::string mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"}) {
    const std::string text = put("", "c\n") + mark + "u\n";
    EXPECT_EQ(remove_block(text, task(), Edits::kRefuse, line_).error().cause, "mark-inside");
    const std::string orphan = "# <<< holdfast z\n" + mark;
    EXPECT_EQ(strip_markers(orphan, task(), *parse_blocks(orphan, syntax_, "x")).error().code,
              ErrorCode::kCorrupt);
  }
}

TEST_F(BlockChangeTest, ACustomBlockOfAnotherToolIsManaged) {
  use(".env", CustomMarkers{"# BEGIN drydock", "# END drydock"});
  const std::string text = "A=1\n  # BEGIN drydock\nB=2\n# END drydock\nC=3";
  EXPECT_EQ(get_block(text, task(), line_).value_or("?"), "B=2\n");
  EXPECT_EQ(put(text, "B=9"), "A=1\n  # BEGIN drydock\nB=9\n# END drydock\nC=3");
  EXPECT_EQ(removed(text), "A=1\nC=3");
  EXPECT_EQ(put("A=1", "B=2"), "A=1\n# BEGIN drydock\nB=2\n# END drydock");
}

TEST_F(BlockChangeTest, StrippingTakesTheMarkerLinesAndNothingElse) {
  const std::string good = begin_line(syntax_, "g", "0123456789abcdef") + "\ng\n# <<< holdfast g\n";
  const std::string text = "u1\n# >>> holdfast a sha256:0\nu2\r\n" + good +
                           "# <<< holdfast b\nu3\n" + "  # <<< holdfast c";
  const auto document = parse_blocks(text, syntax_, "x");
  EXPECT_EQ(strippable(*document).size(), 3U);
  EXPECT_EQ(strip_markers(text, task(), *document).value_or("?"), "u1\nu2\r\n" + good + "u3\n");
}

TEST_F(BlockChangeTest, ACommentOfAPersonIsNoMarkerAndIsNeverStripped) {
  const std::string text = "# >>> holdfast is nice\nu\n# <<< holdfast\n";
  EXPECT_EQ(removed(put(text, "c\n")), text);
  EXPECT_TRUE(strippable(*parse_blocks(text, syntax_, "x")).empty());
  // It may have been a marker, or not: nobody goes on, and nobody removes it.
  const std::string doubtful = "# >>> holdfast setup\nu\n";
  EXPECT_EQ(put_block(doubtful, task(), {.content = "c\n"}, line_).error().cause, "malformed");
  EXPECT_TRUE(strippable(*parse_blocks(doubtful, syntax_, "x")).empty());
}

TEST_F(BlockChangeTest, StrippingLeavesFencesAlone) {
  use("x.md");
  const std::string text = "<!-- <<< holdfast a -->\n```\n<!-- <<< holdfast b -->\n```\n";
  const auto document = parse_blocks(text, syntax_, "x");
  EXPECT_EQ(strip_markers(text, task(), *document).value_or("?"),
            "```\n<!-- <<< holdfast b -->\n```\n");
}

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
