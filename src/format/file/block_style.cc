// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_marker.h"

#include <algorithm>
#include <array>
#include <string>

namespace holdfast {
namespace {

struct StyleInfo {
  BlockStyle style;
  std::string_view word;
  CommentForm form;
};

constexpr std::array kStyles{
    StyleInfo{BlockStyle::kMarkdown, "markdown", {"<!-- ", " -->"}},
    StyleInfo{BlockStyle::kHtml, "html", {"<!-- ", " -->"}},
    StyleInfo{BlockStyle::kMdx, "mdx", {"{/* ", " */}"}},
    StyleInfo{BlockStyle::kHash, "hash", {"# ", ""}},
    StyleInfo{BlockStyle::kSlash, "slash", {"// ", ""}},
    StyleInfo{BlockStyle::kCss, "css", {"/* ", " */"}},
    StyleInfo{BlockStyle::kDash, "dash", {"-- ", ""}},
    StyleInfo{BlockStyle::kSemicolon, "semicolon", {"; ", ""}},
    StyleInfo{BlockStyle::kRem, "rem", {"rem # ", ""}},
    StyleInfo{BlockStyle::kQuote, "quote", {"\" ", ""}},
    StyleInfo{BlockStyle::kPercent, "percent", {"% ", ""}},
};

struct Ending {
  std::string_view words;  // each with a blank before and behind it
  std::optional<BlockStyle> style;
};

// What follows the last dot of a name. Anything else is `hash`.
constexpr std::array kEndings{
    Ending{" md markdown mdown mkd mdc ", BlockStyle::kMarkdown},
    Ending{" html htm xhtml xml xsd xsl xslt svg vue svelte plist csproj props targets ",
           BlockStyle::kHtml},
    Ending{" mdx ", BlockStyle::kMdx},
    Ending{" c h cc cpp cxx hh hpp hxx m mm cs java kt kts scala swift go rs js jsx mjs cjs ts tsx "
           "mts cts dart php proto groovy gradle zig v sv jsonc json5 less scss sass glsl dot gv "
           "fs fsx ",
           BlockStyle::kSlash},
    Ending{" css pcss ", BlockStyle::kCss},
    Ending{" sql lua hs lhs elm adb ads vhd vhdl ", BlockStyle::kDash},
    Ending{" ini inf reg el lisp lsp clj cljs scm rkt asm ahk ", BlockStyle::kSemicolon},
    Ending{" bat cmd ", BlockStyle::kRem},
    Ending{" vim vimrc ", BlockStyle::kQuote},
    Ending{" tex sty cls ltx bib erl hrl ", BlockStyle::kPercent},
    Ending{" json jsonl ndjson geojson ipynb webmanifest har csv tsv ", std::nullopt},
};

constexpr const StyleInfo& info(BlockStyle style) {
  return kStyles[static_cast<std::size_t>(style)];
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::optional<BlockStyle> block_style_of(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.rfind('.');
  std::string word(" ");
  // A name without a dot (`Makefile`) has no ending; `.vimrc` is all ending.
  if (dot != name.npos) word += name.substr(dot + 1);
  std::ranges::transform(word, word.begin(), lower);
  word += ' ';
  const bool one_word = word.size() > 2 && word.find(' ', 1) == word.size() - 1;
  for (const Ending& ending : kEndings) {
    if (one_word && ending.words.contains(word)) return ending.style;
  }
  return BlockStyle::kHash;
}

std::optional<BlockStyle> parse_block_style(std::string_view word) {
  const auto* const found = std::ranges::find(kStyles, word, &StyleInfo::word);
  if (found == kStyles.end()) return std::nullopt;
  return found->style;
}

std::string_view to_text(BlockStyle style) { return info(style).word; }

CommentForm comment_form(BlockStyle style) { return info(style).form; }

}  // namespace holdfast
