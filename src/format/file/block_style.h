// SPDX-License-Identifier: Apache-2.0
//
// How a text file says "comment": the style in which the marker lines of managed blocks are written
// (block_marker.h), chosen by the file's name.
//
//   markdown   <!-- … -->      Markdown; markers inside code fences are recognised (refused)
//   html       <!-- … -->      HTML, XML, SVG, Vue
//   mdx        {/* … */}
//   hash       # …             shell, Python, YAML, TOML, Makefile, .env, .conf, and unknown names
//   slash      // …            C, C++, JavaScript, TypeScript, Go, Rust, Java, JSON with comments
//   css        /* … */
//   dash       -- …            SQL, Lua, Haskell
//   semicolon  ; …             ini, Lisp, assembler
//   rem        rem # …         batch files; `#` makes what follows an argument, not a redirection
//   quote      " …             Vim
//   percent    % …             TeX, Erlang
//
// Some formats have no comments at all (JSON, CSV): a marker would break them, so there is no style
// for them and the caller must name one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace holdfast {

enum class BlockStyle : std::uint8_t {
  kMarkdown,
  kHtml,
  kMdx,
  kHash,
  kSlash,
  kCss,
  kDash,
  kSemicolon,
  kRem,
  kQuote,
  kPercent,
};

// By the last component of `path`, capitals or not. nullopt: a format without comments.
std::optional<BlockStyle> block_style_of(std::string_view path);
std::optional<BlockStyle> parse_block_style(std::string_view word);
std::string_view to_text(BlockStyle style);
// The words above, as an option shows them.
inline constexpr std::string_view kBlockStyleWords =
    "markdown|html|mdx|hash|slash|css|dash|semicolon|rem|quote|percent";

// What stands before and behind the words of a comment, blanks included.
struct CommentForm {
  std::string_view open;
  std::string_view close;
};
CommentForm comment_form(BlockStyle style);

}  // namespace holdfast
