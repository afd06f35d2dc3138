// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_change.h"

#include <algorithm>
#include <optional>

#include "format/file/block_document.h"
#include "format/text/text_lines.h"

namespace holdfast {
namespace {

constexpr std::size_t kBlockPlaceMostNamed = 20;

Error block_place_refused(const BlockTask& task, std::string cause, std::string detail) {
  return block_error(ErrorCode::kCorrupt, "find the place of a new block in", task,
                     std::move(cause), std::move(detail) + "; nothing was changed");
}

// Behind the front matter of Markdown, whose first line the cursor has just passed.
std::optional<std::size_t> front_matter_end(std::string_view text, LineCursor cursor) {
  for (TextLine line; cursor.next(line);) {
    const std::string_view bytes = line.of(text);
    if (bytes == "---" || bytes == "...") return line.next;
  }
  return std::nullopt;
}

std::size_t start_of(std::string_view text, const BlockSyntax& syntax) {
  LineCursor cursor(text);
  TextLine line;
  if (!cursor.next(line)) return text.size();
  const std::string_view first = line.of(text);
  const bool declaration =
      first.starts_with("<?php") || (first.starts_with("<?") && first.contains("?>"));
  if (first.starts_with("#!") || declaration) return line.next;
  if (syntax.fences && first == "---") return front_matter_end(text, cursor).value_or(line.begin);
  return line.begin;
}

// The one line that is `wanted`, outside of blocks.
Result<TextLine> anchor_of(std::string_view text, const BlockDocument& document,
                           const BlockTask& task, std::string_view wanted) {
  std::optional<TextLine> found;
  std::string lines;
  std::size_t count = 0;
  auto block = document.blocks.begin();
  LineCursor cursor(text);
  for (TextLine line; cursor.next(line);) {
    while (block != document.blocks.end() && block->last_line < line.number) ++block;
    const bool inside = block != document.blocks.end() && block->first_line <= line.number;
    if (inside || line.of(text) != wanted) continue;
    found = line;
    if (++count <= kBlockPlaceMostNamed)
      lines += (count == 1 ? "" : ", ") + std::to_string(line.number);
  }
  if (count == 1) return *found;
  const std::string quoted = "'" + std::string(wanted) + "'";
  if (count == 0) {
    return fail(
        block_place_refused(task, "anchor-not-found", "outside of blocks no line is " + quoted));
  }
  return fail(block_place_refused(task, "anchor-ambiguous",
                                  std::to_string(count) + " lines are " + quoted + ": " + lines));
}

Result<> check_place(std::string_view text, const BlockDocument& document, const BlockTask& task,
                     std::size_t at, std::size_t& line_number) {
  for (const ManagedBlock& block : document.blocks) {
    if (block.begin < at && at < block.end) {
      line_number = block.first_line;
      return fail(block_place_refused(
          task, "inside-block",
          "it is inside the block of line " + std::to_string(block.first_line)));
    }
  }
  if (!task.syntax.fences) return {};
  FenceTracker fence;
  std::size_t opened = 0;
  LineCursor cursor(text);
  for (TextLine line; cursor.next(line) && line.begin < at;) {
    const bool was_open = fence.open();
    fence.step(line.of(text));
    if (!was_open && fence.open()) opened = line.number;
  }
  if (!fence.open()) return {};
  line_number = opened;
  return fail(block_place_refused(
      task, "in-fence",
      "it is inside the code fence that line " + std::to_string(opened) + " opens"));
}

}  // namespace

Result<std::size_t> place_of(std::string_view text, const BlockDocument& document,
                             const BlockTask& task, const BlockPlace& place, std::size_t& line) {
  using Where = BlockPlace::Where;
  std::size_t at = text.size();
  if (place.where == Where::kStart) at = start_of(text, task.syntax);
  if (place.where == Where::kBefore || place.where == Where::kAfter) {
    const TextLine anchor = HF_TRY(anchor_of(text, document, task, place.line));
    at = place.where == Where::kBefore ? anchor.begin : anchor.next;
  }
  HF_TRY(check_place(text, document, task, at, line));
  return at;
}

Outside outside_of(std::string_view text, const ManagedBlock& block) {
  std::size_t from = block.begin;
  const std::size_t first = first_line_of(text);
  if (!block.ended && from > first) {
    // The line end before it is its own. It was written with the same kind as the begin marker's.
    --from;
    const bool crlf = block.content - block.begin_end == 2;
    if (crlf && from > first && text[from - 1] == '\r') --from;
  }
  return {.before = text.substr(0, from), .behind = text.substr(block.end)};
}

Error block_error(ErrorCode code, std::string_view op, const BlockTask& task, std::string cause,
                  std::string detail) {
  return {.code = code,
          .op = std::string(op),
          .subject = std::string(task.path),
          .cause = std::move(cause),
          .detail = std::move(detail)};
}

}  // namespace holdfast
