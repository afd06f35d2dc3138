// SPDX-License-Identifier: Apache-2.0
//
// Changing one managed block of a text, in memory.
//
// Guarantee: bytes outside the block are the same before and after, and taking a new block out
// again gives the old text, byte for byte. Each result is parsed again and compared with that
// before it is given out; a difference is kInternal, never a changed file. A text with any anomaly
// (block_document.h) is refused.
//
// What belongs to a block: its lines with their line ends; where the end marker has no line end
// (the text has no final newline), the line end before the begin marker instead. So the state of
// the final newline stays as it was.
//
// Line ends: those that most lines outside the block have (LF where equal); where there are none
// outside, those of the block's begin marker; in a text without any, those of the content. The
// content's are converted (CRs at the end of a line are part of it), and its last line gets one. A
// byte order mark of the text stays first; one of the content is dropped. An existing block keeps
// its place and the form of its marker lines.
//
// The content must not have marker lines (of the file's own style, of any id, or the given custom
// ones) or NUL bytes, nor leave a Markdown code fence open.
//
// Errors: kCorrupt (65) `not-text`, an anomaly's word, `empty`, `content-not-text`,
// `content-has-marker`, `content-opens-fence`, `anchor-not-found`, `anchor-ambiguous`, `in-fence`,
// `inside-block`, `mark-inside`; kRefused (77) `edited-inside`: what is in the block is not what
// was put there; kNotFound (66) `no-such-block`. Where an error concerns a line of the text, `line`
// gets its number; else it is left alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "format/file/block_document.h"

namespace holdfast {

// SHA-256; this folder has none of its own.
using BlockHash = Digest (*)(std::string_view);

// Of content with its line ends as LF, whatever they are.
Digest block_digest(std::string_view content, BlockHash hash);
// Its spelling in a marker.
std::string marker_digest(const Digest& digest);
// Has somebody changed what is inside? Never known of custom blocks.
bool edited_inside(std::string_view text, const ManagedBlock& block, BlockHash hash);

enum class Edits : std::uint8_t { kRefuse, kOverwrite };

// Where a new block goes. kStart is behind what must be first: `#!`, `<?xml …?>`, the front matter
// of Markdown.
struct BlockPlace {
  enum class Where : std::uint8_t { kEnd, kStart, kBefore, kAfter };
  Where where = Where::kEnd;
  std::string line{};  // kBefore, kAfter: exactly one line outside of blocks is this
};

struct BlockTask {
  std::string_view path;  // for messages
  const BlockSyntax& syntax;
  std::string_view id;  // ignored where the syntax has custom markers
  BlockHash hash;
};

struct BlockChange {
  bool changed = false;
  std::string text;                  // all of it; empty where nothing changed
  std::optional<Digest> old_digest;  // of the block's content; none where there was no block
  std::optional<Digest> new_digest;  // none where there is no block any more
};

struct BlockPut {
  std::string_view content;
  bool allow_empty = false;
  Edits edits = Edits::kRefuse;
  BlockPlace place{};
};
Result<BlockChange> put_block(std::string_view text, const BlockTask& task, const BlockPut& put,
                              std::size_t& line);
Result<BlockChange> remove_block(std::string_view text, const BlockTask& task, Edits edits,
                                 std::size_t& line);
// The content, a view into `text`.
Result<std::string_view> get_block(std::string_view text, const BlockTask& task, std::size_t& line);

// What strip_markers takes away: every anomaly but those in a fence, which may be examples, and
// malformed ones without a digest, which may be a person's comments.
bool is_strippable(const MarkerAnomaly& anomaly);
std::vector<MarkerAnomaly> strippable(const BlockDocument& document);
// The text without these lines; all other lines stay byte for byte.
Result<std::string> strip_markers(std::string_view text, const BlockTask& task,
                                  const BlockDocument& document);

// The steps of a change, for block_change.cc and tests: where a new block goes, and which bytes an
// existing one takes with it.

// The offset of a line, or the end of the text. Errors: kCorrupt, as above.
Result<std::size_t> place_of(std::string_view text, const BlockDocument& document,
                             const BlockTask& task, const BlockPlace& place, std::size_t& line);

// What lies outside of a block: the text before it and behind it.
struct Outside {
  std::string_view before;
  std::string_view behind;

  bool operator==(const Outside&) const = default;
};
Outside outside_of(std::string_view text, const ManagedBlock& block);

Error block_error(ErrorCode code, std::string_view op, const BlockTask& task, std::string cause,
                  std::string detail);

}  // namespace holdfast
