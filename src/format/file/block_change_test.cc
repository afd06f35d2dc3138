// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_change.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holdfast
