// SPDX-License-Identifier: Apache-2.0
//
// The marker lines of a managed block, written and read.
//
// holdfast's own, in the comment form of the file:
//   # >>> holdfast ID sha256:0123456789abcdef      16 digits: the first 8 bytes of the SHA-256 of
//   # <<< holdfast ID                              the content with its line ends as LF
// so that an edit by hand inside the block is noticed. ID is 1 to 100 of [A-Za-z0-9._/:@+-]; where
// comments are `<!-- … -->` it has no `--`, which XML forbids there.
//
// Or custom ones, two lines given by the caller, so that existing blocks of other tools can be
// managed; they have no id and no digest. Own markers are recognised beside them.
//
// Blanks (spaces, tabs, a stray CR) around a marker line do not matter. A comment that is no exact
// marker, but says `>>> holdfast ID` or `<<< holdfast ID` with other blanks or without a closing
// sign, or has `sha256:` and a digit as the next word whatever follows, is malformed: it was one
// once, and nobody can say what it encloses. Only with the digest is that certain; `>>> holdfast
// setup` may be a person's comment, so it is refused but never removed. Anything else is text:
// `# >>> holdfast is nice` is. Where such a line was a marker all the same, its partner is an
// orphan, and the text is refused for that.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast {

// How a text file says "comment": the style in which the marker lines of managed blocks are written
// below, chosen by the file's name.
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

// Which lines of a file are markers.
struct BlockSyntax {
  std::optional<BlockStyle> style{};  // none: only the custom markers
  bool fences = false;                // markers in Markdown code fences are to be noticed
  std::string begin{};                // custom markers, blanks trimmed; both or none
  std::string end{};

  [[nodiscard]] bool custom() const { return !begin.empty(); }
};

// For a file of this name. Errors, all kUsage: `no-comments` for a format without comments where
// neither a style nor markers are given; `bad-marker` for custom lines that are empty, equal, one
// inside the other, of several lines, or look like own markers or like a code fence.
struct CustomMarkers {
  std::string begin;
  std::string end;
};
Result<BlockSyntax> block_syntax(std::string_view path, std::optional<BlockStyle> style,
                                 std::optional<CustomMarkers> custom);

// Errors: kUsage `bad-id`.
Result<> check_block_id(const BlockSyntax& syntax, std::string_view id);

inline constexpr std::size_t kBlockDigestDigits = 16;

// The lines, without line end; of the custom block where the syntax has one.
std::string begin_line(const BlockSyntax& syntax, std::string_view id, std::string_view digest);
std::string end_line(const BlockSyntax& syntax, std::string_view id);

struct Marker {
  enum class Kind : std::uint8_t { kBegin, kEnd, kMalformed };
  Kind kind = Kind::kMalformed;
  bool custom = false;
  bool certain = true;        // false: malformed, and perhaps only a person's comment
  std::string_view id{};      // views into the line; empty where custom
  std::string_view digest{};  // of an own begin marker
};

class MarkerReader {
 public:
  // `syntax` must outlive the reader.
  explicit MarkerReader(const BlockSyntax& syntax);

  // The marker that `line` is, if any. `line` has no line end.
  [[nodiscard]] std::optional<Marker> read(std::string_view line) const {
    std::size_t at = 0;
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    if (at == line.size() || !may_begin_[static_cast<unsigned char>(line[at])]) return std::nullopt;
    line.remove_prefix(at);
    if (syntax_->custom()) {
      const auto marker = read_custom(line);
      if (marker) return marker;
    }
    if (!syntax_->style || !line.starts_with(sign_)) return std::nullopt;
    at = sign_.size();
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    if (at == line.size() || (line[at] != '>' && line[at] != '<')) return std::nullopt;
    return read_own(line);
  }

 private:
  [[nodiscard]] std::optional<Marker> read_custom(std::string_view line) const;
  [[nodiscard]] std::optional<Marker> read_own(std::string_view line) const;

  const BlockSyntax* syntax_;
  CommentForm form_{};
  std::string_view sign_{};            // its opening without blanks
  std::array<bool, 256> may_begin_{};  // most lines need one look, and nearly all others two
};

}  // namespace holdfast
