// SPDX-License-Identifier: Apache-2.0
#include "file/block/block_edit.h"

#include <algorithm>

#include "file/replace/read_whole.h"
#include "os/machine/sha256.h"

namespace holdfast::file {
namespace {

Error no_such_file(const std::string& path) {
  return {.code = ErrorCode::kNotFound,
          .op = "open",
          .subject = path,
          .cause = "enoent",
          .detail = "there is no such file (`block put --create` begins with an empty one)"};
}

// From here on nobody who cooperates changes the file.
Result<Replacement> begin_block_edit(const std::string& path, ReplaceOptions options) {
  if (options.links == Links::kReplace) {
    return fail({.code = ErrorCode::kUsage,
                 .op = "edit",
                 .subject = path,
                 .cause = "bad-value",
                 .detail = "a link that is to be replaced has no text that could be edited"});
  }
  options.locking = Locking::kFromBegin;
  options.base = Base::kAsRead;
  return Replacement::begin(path, std::move(options));
}

BlockTask task_of(const BlockFile& block) {
  return {.path = block.path, .syntax = block.syntax, .id = block.id, .hash = os::sha256};
}

// Where nothing is to change, the old text is committed again: the answer is then a checked one.
Result<BlockEdited> commit(Replacement& job, const BlockChange& change, std::string_view old) {
  HF_TRY(job.write(change.changed ? std::string_view(change.text) : old));
  Replaced done = HF_TRY(job.commit());
  return BlockEdited{.file = std::move(done),
                     .block_changed = change.changed,
                     .old_digest = change.old_digest,
                     .new_digest = change.new_digest};
}

Stripped::Line line_of(const MarkerAnomaly& anomaly) {
  return {.number = anomaly.line, .kind = anomaly.kind, .text = std::string(anomaly.text)};
}

Result<Stripped> plan_of(std::string_view text, const BlockFile& block,
                         const BlockDocument& document) {
  Stripped plan;
  for (const MarkerAnomaly& anomaly : strippable(document)) {
    plan.lines.push_back(line_of(anomaly));
  }
  for (const MarkerAnomaly& anomaly : document.anomalies) {
    if (!is_strippable(anomaly)) plan.left.push_back(line_of(anomaly));
  }
  HF_TRY(strip_markers(text, task_of(block), document));
  return plan;
}

Result<BlockEdited> put_once(const BlockFile& block, const BlockPut& put, Absent absent,
                             const ReplaceOptions& options, BlockReport& report) {
  Replacement job = HF_TRY(begin_block_edit(block.path, options));
  report.restored = report.restored || job.restored_old_content();
  if (!job.exists() && absent == Absent::kRefuse) return fail(no_such_file(block.path));
  std::string old;
  if (job.exists()) old = HF_TRY(job.read_old(kLargestText));
  const BlockChange change = HF_TRY(put_block(old, task_of(block), put, report.line));
  return commit(job, change, old);
}

Result<BlockEdited> remove_once(const BlockFile& block, Edits edits, const ReplaceOptions& options,
                                BlockReport& report) {
  Replacement job = HF_TRY(begin_block_edit(block.path, options));
  report.restored = report.restored || job.restored_old_content();
  if (!job.exists()) return fail(no_such_file(block.path));
  const std::string old = HF_TRY(job.read_old(kLargestText));
  const BlockChange change = HF_TRY(remove_block(old, task_of(block), edits, report.line));
  return commit(job, change, old);
}

Result<Stripped> strip_once(const BlockFile& block, const ReplaceOptions& options,
                            BlockReport& report) {
  Replacement job = HF_TRY(begin_block_edit(block.path, options));
  report.restored = report.restored || job.restored_old_content();
  if (!job.exists()) return fail(no_such_file(block.path));
  const std::string old = HF_TRY(job.read_old(kLargestText));
  const BlockDocument document = HF_TRY(parse_blocks(old, block.syntax, block.path));
  Stripped plan = HF_TRY(plan_of(old, block, document));
  if (plan.lines.empty()) return plan;
  HF_TRY(job.write(HF_TRY(strip_markers(old, task_of(block), document))));
  plan.file = HF_TRY(job.commit());
  return plan;
}

}  // namespace

Result<BlockEdited> put_block_in(const BlockFile& block, const BlockPut& put, Absent absent,
                                 const ReplaceOptions& options, BlockReport& report) {
  return with_new_lock([&] { return put_once(block, put, absent, options, report); });
}

Result<BlockEdited> remove_block_from(const BlockFile& block, Edits edits, ReplaceOptions options,
                                      BlockReport& report) {
  options.min_bytes = 0;  // the block may have been all there was
  return with_new_lock([&] { return remove_once(block, edits, options, report); });
}

Result<Stripped> plan_strip(std::string_view text, const BlockFile& block) {
  const BlockDocument document = HF_TRY(parse_blocks(text, block.syntax, block.path));
  return plan_of(text, block, document);
}

Result<Stripped> strip_orphans(const BlockFile& block, ReplaceOptions options,
                               BlockReport& report) {
  options.min_bytes = 0;
  options.backups = std::max<std::uint32_t>(options.backups, 1);
  options.backup_first = true;
  return with_new_lock([&] { return strip_once(block, options, report); });
}

Result<std::string> read_text(const std::string& path, Links links, TrustDir trust) {
  return read_whole(path, {.links = links, .trust = trust, .max = kLargestText});
}

}  // namespace holdfast::file
