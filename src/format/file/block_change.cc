// SPDX-License-Identifier: Apache-2.0
#include "format/file/block_change.h"

#include <algorithm>

#include "format/file/block_document.h"
#include "format/text/text_lines.h"

namespace holdfast {
namespace {

constexpr std::string_view kPutOp = "put a block into";
constexpr std::string_view kRemoveOp = "remove a block from";
constexpr std::string_view kGetOp = "read a block of";

std::string block_change_name_of(const BlockTask& task) {
  return task.syntax.custom() ? "'" + task.syntax.begin + "'" : "'" + std::string(task.id) + "'";
}

Result<BlockDocument> clean_document(std::string_view text, const BlockTask& task,
                                     std::size_t& line) {
  BlockDocument document = HF_TRY(parse_blocks(text, task.syntax, task.path));
  if (document.anomalies.empty()) return document;
  line = document.anomalies.front().line;
  return fail(anomalies_error(task.path, document.anomalies));
}

Result<> check_content(std::string_view content, const BlockTask& task, const BlockPut& put) {
  const auto refuse = [&](std::string cause, std::string detail) {
    return fail(block_error(ErrorCode::kCorrupt, kPutOp, task, std::move(cause),
                            std::move(detail) + "; nothing was changed"));
  };
  if (content.empty() && !put.allow_empty) {
    return refuse("empty", "the new content is empty (--allow-empty allows it)");
  }
  if (content.contains('\0')) return refuse("content-not-text", "the new content has NUL bytes");
  const MarkerReader reader(task.syntax);
  FenceTracker fence;
  LineCursor cursor(content);
  for (TextLine line; cursor.next(line);) {
    const std::string_view bytes = line.of(content);
    if (task.syntax.fences) fence.step(bytes);
    if (!reader.read(bytes)) continue;
    return refuse("content-has-marker",
                  "line " + std::to_string(line.number) + " of the new content is a marker");
  }
  if (!fence.open()) return {};
  return refuse("content-opens-fence",
                "the new content leaves a code fence open, which would swallow what follows");
}

Error no_such_block(std::string_view op, const BlockTask& task) {
  return block_error(ErrorCode::kNotFound, op, task, "no-such-block",
                     "there is no block " + block_change_name_of(task));
}

// Not while somebody's edits are in it.
Result<> check_edits(std::string_view op, std::string_view text, const ManagedBlock& block,
                     const BlockTask& task, std::size_t& line) {
  if (!edited_inside(text, block, task.hash)) return {};
  line = block.first_line;
  return fail(
      block_error(ErrorCode::kRefused, op, task, "edited-inside",
                  "the block " + block_change_name_of(task) + " (lines " +
                      std::to_string(block.first_line) + " to " + std::to_string(block.last_line) +
                      ") was edited by hand since it was put there (--overwrite-edits allows it); "
                      "nothing was changed"));
}

std::string_view line_end_for(std::string_view text, const ManagedBlock* block,
                              std::string_view content) {
  const Outside outside = block == nullptr ? Outside{text, {}} : outside_of(text, *block);
  LineEnds count = count_line_ends(outside.before);
  count += count_line_ends(outside.behind);
  if (count.any()) return count.most();
  if (block != nullptr) return block->content - block->begin_end == 2 ? kCrLf : kLf;
  return count_line_ends(content).most();
}

std::string replaced(std::string_view text, std::size_t from, std::size_t to, std::string_view by) {
  std::string out;
  out.reserve(text.size() - (to - from) + by.size());
  return out.append(text.substr(0, from)).append(by).append(text.substr(to));
}

// The marker lines of an existing block keep their form; only the digest is a new one.
std::string with_new_content(std::string_view text, const ManagedBlock& block,
                             const BlockTask& task, std::string_view content,
                             const Digest& digest) {
  const std::string_view old_line = text.substr(block.begin, block.begin_end - block.begin);
  std::string head(old_line);
  if (!block.custom) {
    head.resize(old_line.find_first_not_of(" \t"));
    head += begin_line(task.syntax, task.id, marker_digest(digest));
  }
  head.append(text.substr(block.begin_end, block.content - block.begin_end)).append(content);
  return replaced(text, block.begin, block.content_end, head);
}

std::string with_new_block(std::string_view text, std::size_t at, const BlockTask& task,
                           std::string_view content, const Digest& digest,
                           std::string_view line_end) {
  std::string block = begin_line(task.syntax, task.id, marker_digest(digest));
  block.append(line_end).append(content).append(end_line(task.syntax, task.id));
  const bool at_line = at == first_line_of(text) || text[at - 1] == '\n';
  if (at_line) {
    block.append(line_end);
  } else {
    block.insert(0, line_end);  // behind a last line without one: the text still ends without
  }
  return replaced(text, at, at, block);
}

Error violated(const BlockTask& task) {
  return block_error(ErrorCode::kInternal, "change a block of", task, "block-invariant",
                     "the result would have changed more than the block; nothing was changed");
}

// Bytes in the middle of a text that would say something about all of it, were they the first.
Result<> check_no_new_mark(std::string_view op, const BlockTask& task, std::string_view old,
                           std::string_view text) {
  if (!begins_with_mark(text) || begins_with_mark(old)) return {};
  return fail(block_error(ErrorCode::kCorrupt, op, task, "mark-inside",
                          "a byte order mark in the middle of it would become its first bytes; "
                          "nothing was changed"));
}

// `before` is what was outside of the block, or the whole old text in two parts.
Result<> check_outside(std::string_view text, const BlockTask& task, const Outside& before,
                       std::size_t blocks) {
  const auto document = parse_blocks(text, task.syntax, task.path);
  if (!document || !document->anomalies.empty() || document->blocks.size() != blocks) {
    return fail(violated(task));
  }
  const ManagedBlock* const block = document->find(task.syntax, task.id);
  if (block == nullptr || outside_of(text, *block) != before) return fail(violated(task));
  return {};
}

}  // namespace

Digest block_digest(std::string_view content, BlockHash hash) {
  return content.contains(kCrLf) ? hash(with_line_ends(content, kLf)) : hash(content);
}

std::string marker_digest(const Digest& digest) {
  return to_hex(digest).substr(0, kBlockDigestDigits);
}

bool edited_inside(std::string_view text, const ManagedBlock& block, BlockHash hash) {
  if (block.custom) return false;
  return marker_digest(block_digest(block.content_of(text), hash)) != block.digest;
}

Result<BlockChange> put_block(std::string_view text, const BlockTask& task, const BlockPut& put,
                              std::size_t& line) {
  const BlockDocument document = HF_TRY(clean_document(text, task, line));
  std::string_view bytes = put.content;
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  HF_TRY(check_content(bytes, task, put));
  const ManagedBlock* const block = document.find(task.syntax, task.id);
  const std::string_view line_end = line_end_for(text, block, bytes);
  const std::string content = with_line_ends(bytes, line_end);
  const Digest digest = block_digest(content, task.hash);
  BlockChange change{.changed = true, .text = {}, .old_digest = {}, .new_digest = digest};
  if (block == nullptr) {
    const std::size_t at = HF_TRY(place_of(text, document, task, put.place, line));
    change.text = with_new_block(text, at, task, content, digest, line_end);
    HF_TRY(check_outside(change.text, task, {text.substr(0, at), text.substr(at)},
                         document.blocks.size() + 1));
    return change;
  }
  const std::string_view old = block->content_of(text);
  change.old_digest = block_digest(old, task.hash);
  if (old == content && (block->custom || block->digest == marker_digest(digest))) {
    change.changed = false;
    return change;
  }
  // The same edit, made by hand before: nothing of it is lost.
  if (old != content && put.edits == Edits::kRefuse) {
    HF_TRY(check_edits(kPutOp, text, *block, task, line));
  }
  change.text = with_new_content(text, *block, task, content, digest);
  HF_TRY(check_outside(change.text, task, outside_of(text, *block), document.blocks.size()));
  return change;
}

Result<BlockChange> remove_block(std::string_view text, const BlockTask& task, Edits edits,
                                 std::size_t& line) {
  const BlockDocument document = HF_TRY(clean_document(text, task, line));
  const ManagedBlock* const block = document.find(task.syntax, task.id);
  if (block == nullptr) return fail(no_such_block(kRemoveOp, task));
  if (edits == Edits::kRefuse) HF_TRY(check_edits(kRemoveOp, text, *block, task, line));
  const Outside outside = outside_of(text, *block);
  BlockChange change{.changed = true,
                     .text = std::string(outside.before).append(outside.behind),
                     .old_digest = block_digest(block->content_of(text), task.hash),
                     .new_digest = {}};
  HF_TRY(check_no_new_mark(kRemoveOp, task, text, change.text));
  const auto left = parse_blocks(change.text, task.syntax, task.path);
  if (!left || !left->anomalies.empty() || left->blocks.size() != document.blocks.size() - 1 ||
      left->find(task.syntax, task.id) != nullptr) {
    return fail(violated(task));
  }
  return change;
}

Result<std::string_view> get_block(std::string_view text, const BlockTask& task,
                                   std::size_t& line) {
  const BlockDocument document = HF_TRY(clean_document(text, task, line));
  const ManagedBlock* const block = document.find(task.syntax, task.id);
  if (block == nullptr) return fail(no_such_block(kGetOp, task));
  return block->content_of(text);
}

bool is_strippable(const MarkerAnomaly& anomaly) {
  return anomaly.kind != MarkerAnomaly::Kind::kInFence && anomaly.certain;
}

std::vector<MarkerAnomaly> strippable(const BlockDocument& document) {
  std::vector<MarkerAnomaly> lines = document.anomalies;
  std::erase_if(lines, [](const MarkerAnomaly& anomaly) { return !is_strippable(anomaly); });
  return lines;
}

Result<std::string> strip_markers(std::string_view text, const BlockTask& task,
                                  const BlockDocument& document) {
  std::string out;
  out.reserve(text.size());
  std::size_t from = 0;
  const auto lines = strippable(document);
  for (const MarkerAnomaly& line : lines) {
    out.append(text.substr(from, line.begin - from));
    from = line.end;
  }
  out.append(text.substr(from));
  HF_TRY(check_no_new_mark("strip markers from", task, text, out));
  const auto left = parse_blocks(out, task.syntax, task.path);
  if (!left || !strippable(*left).empty() || left->blocks.size() != document.blocks.size()) {
    return fail(violated(task));
  }
  return out;
}

}  // namespace holdfast
