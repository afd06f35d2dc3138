// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/commands.h"

#include <string>

#include "format/file/block_marker.h"

namespace holdfast::cli {
namespace {

Block style_term(BlockStyle style, std::string says) {
  const CommentForm form = comment_form(style);
  return term(std::string(to_text(style)), "`" + std::string(form.open) + "…" +
                                               std::string(form.close) + "`: " + std::move(says));
}

}  // namespace

std::vector<Block> managed_block_manual() {
  return {
      heading("Markers"),
      paragraph(
          "A block lies between two comment lines. The first has the beginning of the SHA-256 "
          "of the content (line ends as LF), so that an edit by hand is noticed."),
      code("# >>> holdfast deploy sha256:0123456789abcdef"),
      code("export STAGE=prod"),
      code("# <<< holdfast deploy"),
      paragraph("Blanks around a marker do not matter. The name of the file decides how comments "
                "are written; --style says otherwise. Formats without comments (JSON, CSV) are "
                "refused unless --style or --begin and --end are given."),
      style_term(BlockStyle::kMarkdown, "Markdown; code fences are looked at"),
      style_term(BlockStyle::kHtml, "HTML, XML, SVG, Vue"),
      style_term(BlockStyle::kMdx, "MDX; code fences are looked at"),
      style_term(BlockStyle::kHash,
                 "shell, Python, YAML, TOML, .env, .conf, and every name that is not known"),
      style_term(BlockStyle::kSlash, "C, C++, JavaScript, TypeScript, Go, Rust, Java"),
      style_term(BlockStyle::kCss, "CSS"),
      style_term(BlockStyle::kDash, "SQL, Lua, Haskell"),
      style_term(BlockStyle::kSemicolon, "ini, Lisp, assembler"),
      style_term(BlockStyle::kRem, "batch files"),
      style_term(BlockStyle::kQuote, "Vim"),
      style_term(BlockStyle::kPercent, "TeX, Erlang"),
      heading("What is not in order"),
      paragraph("All markers of a file are read first. If one of them, of whatever id, is not in "
                "order, nothing is changed (65) and every such line is named; a wrong guess about "
                "what belongs together would delete somebody's text."),
      term("orphan-begin, orphan-end", "its partner is missing"),
      term("reversed", "the end stands before the begin"),
      term("nested", "a pair with another block inside; the outer lines are named"),
      term("crossed", "two pairs overlap"),
      term("duplicate", "a second block of the same id"),
      term("in-fence", "a marker inside a Markdown code fence"),
      term("malformed",
           "a comment that was a marker once: the digest is lost or cut, the blanks are others, "
           "something stands behind it; `>>> holdfast is nice` is text"),
      paragraph(
          "`holdfast block check` lists them; `holdfast block strip-orphans` removes the marker "
          "lines, and no line of text: a malformed one only where it has a digest."),
      heading("Rules"),
      paragraph("Bytes outside the block never change, and removing a block gives the old bytes "
                "back. New line ends are those of most lines of the file; a byte order mark stays "
                "first; a file without a final newline stays without."),
      paragraph("Content with a marker line is refused (65). A block that was edited by hand is "
                "neither changed nor removed (77) unless --overwrite-edits says so. Files up to "
                "64 MiB; not UTF-16, and no NUL bytes (65)."),
      paragraph(
          "Fences in block quotes, or indented by four columns and more, are not seen. Blocks "
          "that were made in another --style are text."),
  };
}

}  // namespace holdfast::cli
