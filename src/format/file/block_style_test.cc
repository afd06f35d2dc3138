// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_style.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace {

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

}  // namespace
}  // namespace holdfast
