// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_marker.h"

#include <gtest/gtest.h>

#include <string>

#include "format/file/block_document.h"

namespace holdfast {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

BlockSyntax syntax_of(std::string_view path) { return block_syntax(path, {}, {}).value(); }

std::string block_marker_cause_of(const Result<BlockSyntax>& result) {
  if (result) return "";
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
  return result.error().cause;
}

char block_marker_kind_of(const BlockSyntax& syntax, std::string_view line) {
  const auto marker = MarkerReader(syntax).read(line);
  if (!marker) return '-';
  if (marker->kind == Marker::Kind::kMalformed) return '!';
  return marker->kind == Marker::Kind::kBegin ? '>' : '<';
}

TEST(BlockMarker, SpellingIsAsDocumented) {
  EXPECT_EQ(begin_line(syntax_of(".env"), "deploy", kHex),
            "# >>> holdfast deploy sha256:0123456789abcdef");
  EXPECT_EQ(end_line(syntax_of(".env"), "deploy"), "# <<< holdfast deploy");
  EXPECT_EQ(begin_line(syntax_of("a.md"), "deploy", kHex),
            "<!-- >>> holdfast deploy sha256:0123456789abcdef -->");
  EXPECT_EQ(end_line(syntax_of("a.md"), "deploy"), "<!-- <<< holdfast deploy -->");
  EXPECT_EQ(end_line(syntax_of("a.bat"), "deploy"), "rem # <<< holdfast deploy");
}

TEST(BlockMarker, EveryStyleReadsWhatItWrites) {
  for (int i = 0; i <= static_cast<int>(BlockStyle::kPercent); ++i) {
    const BlockSyntax syntax{.style = static_cast<BlockStyle>(i)};
    const std::string begin = " \t" + begin_line(syntax, "a/b:c@1+2._-", kHex) + " \t\r";
    const auto marker = MarkerReader(syntax).read(begin);
    ASSERT_TRUE(marker) << begin;
    EXPECT_EQ(marker->kind, Marker::Kind::kBegin) << begin;
    EXPECT_EQ(marker->id, "a/b:c@1+2._-");
    EXPECT_EQ(marker->digest, kHex);
    EXPECT_EQ(block_marker_kind_of(syntax, end_line(syntax, "x")), '<');
  }
}

TEST(BlockMarker, WhatWasAMarkerOnceIsMalformed) {
  const BlockSyntax hash = syntax_of("x.sh");
  for (const std::string_view line :
       {"# >>> holdfast x", "# >>> holdfast x sha256:0123",
        "# >>> holdfast x sha256:0123456789ABCDEF", "#>>> holdfast x sha256:0123456789abcdef",
        "#  <<< holdfast x", "# <<< holdfast\tx", "# <<< holdfast x sha256:0123456789abcdef",
        "# >>> holdfast x sha256:0123456789abcdef -->", "# <<< holdfast  x"}) {
    EXPECT_EQ(block_marker_kind_of(hash, line), '!') << line;
  }
  const BlockSyntax html = syntax_of("x.html");
  for (const std::string_view line : {"<!-- <<< holdfast x", "<!--<<< holdfast x-->",
                                      "<!-- <<< holdfast x --> text", "<!-- >>> holdfast x -->"}) {
    EXPECT_EQ(block_marker_kind_of(html, line), '!') << line;
  }
}

TEST(BlockMarker, AMalformedOneIsCertainlyAMarkerWhereItHasADigest) {
  const BlockSyntax html = syntax_of("x.html");
  const auto certain = [&](std::string_view line) {
    const auto marker = MarkerReader(html).read(line);
    return marker && marker->certain;
  };
  EXPECT_TRUE(certain("<!-- >>> holdfast x sha256:0123456789abcdef -->"));
  EXPECT_TRUE(certain("<!-- <<< holdfast x -->"));
  EXPECT_TRUE(certain("<!-- >>> holdfast x sha256:0123"));
  EXPECT_TRUE(certain("<!-- >>> holdfast  x  sha256:0123456789abcdef and more -->"));
  EXPECT_FALSE(certain("<!-- >>> holdfast setup -->"));
  EXPECT_FALSE(certain("<!--<<< holdfast setup-->"));
}

TEST(BlockMarker, AnythingElseIsText) {
  const BlockSyntax hash = syntax_of("x.sh");
  for (const std::string_view line :
       {"", "   ", "#", "# holdfast", "## >>> holdfast x", "# see >>> holdfast x",
        "echo '# >>> holdfast x sha256:0123456789abcdef'", "# >>> holdfastly x",
        "// <<< holdfast x", "# BEGIN x", "# >>> holdfast is nice", "# <<< holdfast ends here",
        "# >>> holdfast", "# <<< holdfast", "# >>> holdfast >>>", "# >>> holdfast!",
        "# >>> holdfast uses sha256: for this", "# <<< holdfast x!"}) {
    EXPECT_EQ(block_marker_kind_of(hash, line), '-') << line;
  }
  const BlockSyntax html = syntax_of("x.html");
  for (const std::string_view line :
       {"<!-- >>> holdfast is nice -->", "<!-- >>> holdfast -->", "<!-- <<< holdfast"}) {
    EXPECT_EQ(block_marker_kind_of(html, line), '-') << line;
  }
}

TEST(BlockMarker, CustomLinesAreReadBesideOwnOnes) {
  const auto syntax = block_syntax(".env", {}, CustomMarkers{" # BEGIN x ", "# END x"});
  ASSERT_TRUE(syntax);
  EXPECT_EQ(block_marker_kind_of(*syntax, "  # BEGIN x"), '>');
  EXPECT_EQ(block_marker_kind_of(*syntax, "# END x\t"), '<');
  EXPECT_EQ(block_marker_kind_of(*syntax, "# END x y"), '-');
  EXPECT_EQ(block_marker_kind_of(*syntax, "# <<< holdfast x"), '<');
  EXPECT_EQ(begin_line(*syntax, "ignored", kHex), "# BEGIN x");
  EXPECT_TRUE(block_syntax("a.json", {}, CustomMarkers{"\"a\": 1,", "\"b\": 1,"}));
}

TEST(BlockMarker, CustomLinesThatCannotWorkAreRefused) {
  const auto cause = [](std::string_view path, std::string begin, std::string end) {
    return block_marker_cause_of(
        block_syntax(path, {}, CustomMarkers{std::move(begin), std::move(end)}));
  };
  EXPECT_EQ(cause("x", "", "b"), "bad-marker");
  EXPECT_EQ(cause("x", "a", " \t"), "bad-marker");
  EXPECT_EQ(cause("x", "a", "a"), "bad-marker");
  EXPECT_EQ(cause("x", "# x", "# x end"), "bad-marker");
  EXPECT_EQ(cause("x", "# begin x", "begin"), "bad-marker");
  EXPECT_EQ(cause("x", "a\nc", "b"), "bad-marker");
  EXPECT_EQ(cause("x", std::string("a\0c", 3), "b"), "bad-marker");
  EXPECT_EQ(cause("x", "# <<< holdfast x", "b"), "bad-marker");
  EXPECT_EQ(cause("x.md", "```", "b"), "bad-marker");
  EXPECT_EQ(cause("x.sh", "```", "b"), "");
}

TEST(BlockMarker, AFormatWithoutCommentsNeedsAStyleOrLines) {
  EXPECT_EQ(block_marker_cause_of(block_syntax("a.json", {}, {})), "no-comments");
  EXPECT_TRUE(block_syntax("a.json", BlockStyle::kSlash, {}));
  EXPECT_TRUE(block_syntax("a.md", BlockStyle::kHash, {})->fences);
  EXPECT_FALSE(block_syntax("a.html", {}, {})->fences);
}

TEST(BlockMarker, IdsAreChecked) {
  const BlockSyntax hash = syntax_of("x.sh");
  EXPECT_TRUE(check_block_id(hash, "tool/part:1@v2+x_y.z--w"));
  EXPECT_TRUE(check_block_id(hash, std::string(100, 'a')));
  for (const std::string& id : {std::string(), std::string(101, 'a'), std::string("a b"),
                                std::string("a\n"), std::string("a*/"), std::string("\xC3\xA9")}) {
    EXPECT_FALSE(check_block_id(hash, id)) << id;
  }
  EXPECT_FALSE(check_block_id(syntax_of("a.xml"), "a--b"));
  EXPECT_TRUE(check_block_id(syntax_of("a.xml"), "a-b"));
}

TEST(BlockStyle, TheNameDecides) {
  const std::vector<std::pair<std::string_view, BlockStyle>> names{
      {"README.md", BlockStyle::kMarkdown},
      {"/a.json/CLAUDE.MD", BlockStyle::kMarkdown},
      {"index.html", BlockStyle::kHtml},
      {"App.vue", BlockStyle::kHtml},
      {"page.mdx", BlockStyle::kMdx},
      {"Makefile", BlockStyle::kHash},
      {"Dockerfile", BlockStyle::kHash},
      {".env", BlockStyle::kHash},
      {".gitignore", BlockStyle::kHash},
      {"sshd_config", BlockStyle::kHash},
      {"setup.cfg", BlockStyle::kHash},
      {"compose.yaml", BlockStyle::kHash},
      {"a.tar.", BlockStyle::kHash},
      {"", BlockStyle::kHash},
      {"name. c", BlockStyle::kHash},
      {"main.CC", BlockStyle::kSlash},
      {"index.ts", BlockStyle::kSlash},
      {"tsconfig.jsonc", BlockStyle::kSlash},
      {"site.css", BlockStyle::kCss},
      {"schema.sql", BlockStyle::kDash},
      {"php.ini", BlockStyle::kSemicolon},
      {"build.bat", BlockStyle::kRem},
      {".vimrc", BlockStyle::kQuote},
      {"paper.tex", BlockStyle::kPercent},
      {"C:\\x.sql\\run.cmd", BlockStyle::kRem},
  };
  for (const auto& [name, style] : names) EXPECT_EQ(block_style_of(name), style) << name;
}

TEST(BlockStyle, FormatsWithoutCommentsHaveNone) {
  for (const std::string_view name : {"package.json", "log.JSONL", "data.csv", "nb.ipynb"}) {
    EXPECT_EQ(block_style_of(name), std::nullopt) << name;
  }
}

TEST(BlockStyle, EveryWordIsItsStyleAndListed) {
  std::string words;
  for (int i = 0; i <= static_cast<int>(BlockStyle::kPercent); ++i) {
    const auto style = static_cast<BlockStyle>(i);
    EXPECT_EQ(parse_block_style(to_text(style)), style);
    EXPECT_TRUE(comment_form(style).open.ends_with(' '));
    words += (words.empty() ? "" : "|") + std::string(to_text(style));
  }
  EXPECT_EQ(words, kBlockStyleWords);
  EXPECT_EQ(parse_block_style("Hash"), std::nullopt);
}

// One letter per line: I inside, o outside.
std::string insides(std::initializer_list<std::string_view> lines) {
  FenceTracker fence;
  std::string out;
  for (const std::string_view line : lines) out += fence.step(line) ? 'I' : 'o';
  return out;
}

TEST(MarkdownFence, ARunOfThreeOpensAndCloses) {
  EXPECT_EQ(insides({"a", "```", "b", "```", "c"}), "ooIoo");
  EXPECT_EQ(insides({"~~~sh", "b", "~~~", "c"}), "oIoo");
  EXPECT_EQ(insides({"``", "b", "``"}), "ooo");
}

TEST(MarkdownFence, OnlyALongEnoughRunOfTheSameCharacterCloses) {
  EXPECT_EQ(insides({"````", "```", "~~~~", "`````", "c"}), "oIIoo");
  EXPECT_EQ(insides({"```", "``` x", "c"}), "oII");
  EXPECT_EQ(insides({"```", "```\t ", "c"}), "ooo");
}

TEST(MarkdownFence, IndentationUpToThreeSpacesCounts) {
  EXPECT_EQ(insides({"   ```", "x", "   ```", "c"}), "oIoo");
  EXPECT_EQ(insides({"    ```", "x"}), "oo");
  EXPECT_EQ(insides({"```", "    ```", "x"}), "oII");
  EXPECT_EQ(insides({"\t```", "x"}), "oo");
}

TEST(MarkdownFence, AnInfoStringWithABacktickIsNoFence) {
  EXPECT_EQ(insides({"``` a`b", "x"}), "oo");
  EXPECT_EQ(insides({"~~~ a`b~", "x"}), "oI");
}

TEST(MarkdownFence, WhatIsNotClosedReachesToTheEnd) {
  EXPECT_EQ(insides({"```", "", "# x", "text"}), "oIII");
}

}  // namespace
}  // namespace holdfast
