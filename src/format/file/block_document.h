// SPDX-License-Identifier: Apache-2.0
//
// The managed blocks of a text, and everything that is wrong with its markers.
//
// All markers are looked at before anything is said about any of them. A block is a begin marker
// followed by its end marker with no other marker between, and one id has one block. Whatever does
// not fit is an anomaly with its line; with a single one, of any id, nobody may change the text,
// because a wrong guess about what belongs together deletes what a person wrote. The classical one:
// an orphan begin marker; run 1 appends a new block, run 2 takes the old begin and the new end for
// a pair and cuts out all that lies between.
//
//   orphan-begin, orphan-end   its partner is missing
//   reversed                   the end stands before the begin
//   nested                     a pair that has another block inside; named are the outer lines
//   crossed                    two pairs overlap
//   duplicate                  a second block of the same id; named are its lines
//   in-fence                   a marker (or what was one) inside a Markdown code fence: an example,
//                              or a fence that somebody forgot to close
//   malformed                  see block_marker.h
//
// Limits: the text must be UTF-8 or another encoding without NUL bytes; more than kMostMarkers
// markers are refused. Errors, kCorrupt: `not-text`, `too-many-markers`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/file/block_marker.h"

namespace holdfast {

// Code fences of Markdown, as CommonMark defines them at the top level: up to three spaces, then
// three or more backticks (the rest of the line has none) or tildes; closed by a line of at least
// as many of the same character and nothing else; one that is not closed reaches to the end.
//
// Limit: fences inside block quotes, and in list items whose text is indented by four columns or
// more, are not seen.
class FenceTracker {
 public:
  // Takes the next line, without its line end. True: it lies inside a fence.
  bool step(std::string_view line) {
    std::size_t indent = 0;
    while (indent < 4 && indent < line.size() && line[indent] == ' ') ++indent;
    const bool candidate =
        indent < 4 && indent < line.size() && (line[indent] == '`' || line[indent] == '~');
    return candidate ? step_at_run(line.substr(indent)) : open();
  }

  // Would the next line lie inside a fence?
  [[nodiscard]] bool open() const { return length_ > 0; }

 private:
  bool step_at_run(std::string_view line);

  char mark_ = '\0';
  std::size_t length_ = 0;  // of the run that opened it; 0: none is open
};

inline constexpr std::size_t kMostMarkers = 20'000;

// Offsets into the text.
struct ManagedBlock {
  std::string_view id;      // empty where custom
  std::string_view digest;  // as the begin marker has it; empty where custom
  bool custom = false;
  std::size_t first_line = 0;   // of the begin marker
  std::size_t last_line = 0;    // of the end marker
  std::size_t begin = 0;        // the line of the begin marker
  std::size_t begin_end = 0;    // before its line end
  std::size_t content = 0;      // behind its line end
  std::size_t content_end = 0;  // = the line of the end marker
  std::size_t end = 0;          // behind the end marker's line end, or the end of the text
  bool ended = true;            // does the end marker have a line end?

  [[nodiscard]] std::string_view content_of(std::string_view text) const {
    return text.substr(content, content_end - content);
  }
};

struct MarkerAnomaly {
  enum class Kind : std::uint8_t {
    kOrphanBegin,
    kOrphanEnd,
    kReversed,
    kNested,
    kCrossed,
    kDuplicate,
    kInFence,
    kMalformed,
  };
  Kind kind = Kind::kMalformed;
  std::size_t line = 0;
  std::size_t begin = 0;  // the line, its line end included
  std::size_t end = 0;
  bool certain = true;      // as of the marker (block_marker.h)
  std::string_view id{};    // empty where custom or malformed
  std::string_view text{};  // the line, without line end
};

std::string_view to_text(MarkerAnomaly::Kind kind);

struct BlockDocument {
  std::vector<ManagedBlock> blocks;      // in the order of the text
  std::vector<MarkerAnomaly> anomalies;  // by line

  // The custom block where the syntax has one, else that of `id`; null where there is none.
  [[nodiscard]] const ManagedBlock* find(const BlockSyntax& syntax, std::string_view id) const;
};

// The views point into `text`. `path` is for messages.
Result<BlockDocument> parse_blocks(std::string_view text, const BlockSyntax& syntax,
                                   std::string_view path);

// The refusal that the anomalies (one at least) are, every line named.
Error anomalies_error(std::string_view path, const std::vector<MarkerAnomaly>& anomalies);

}  // namespace holdfast
