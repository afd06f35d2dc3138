// SPDX-License-Identifier: Apache-2.0
#include "cli/file/managed_block_options.h"

#include <utility>

#include "cli/file/file_options.h"
#include "cli/frame/command_line.h"
#include "file/block/block_record.h"
#include "format/file/block_marker.h"

namespace holdfast::cli {
namespace {

Result<std::optional<BlockStyle>> style_of(const Args& args) {
  const auto word = args.text("style");
  if (!word) return std::nullopt;
  if (const auto style = parse_block_style(*word)) return style;
  return fail(usage_error("bad-value", "use the value of --style", "'" + *word + "'",
                          "it is one of " + std::string(kBlockStyleWords)));
}

Result<std::optional<CustomMarkers>> custom_markers(const Args& args) {
  const auto begin = args.text("begin");
  const auto end = args.text("end");
  if (begin.has_value() != end.has_value()) {
    return fail(usage_error("missing-option", "find a block by", begin ? "--begin" : "--end",
                            "--begin and --end go together"));
  }
  if (!begin) return std::nullopt;
  return CustomMarkers{.begin = *begin, .end = *end};
}

}  // namespace

file::Links links_to_read(const Args& args) {
  return args.text("links") == "follow" ? file::Links::kFollow : file::Links::kRefuse;
}

Result<file::BlockFile> block_file_of(const Args& args, BlockId id) {
  file::BlockFile block{.path = args.arguments().front(), .syntax = {}, .id = {}};
  const auto style = HF_TRY(style_of(args));
  auto custom = HF_TRY(custom_markers(args));
  block.syntax = HF_TRY(block_syntax(block.path, style, std::move(custom)));
  if (id == BlockId::kNotAsked) return block;
  block.id = args.text("id").value_or("");
  if (block.id.empty() && block.syntax.custom() && !args.text("id")) return block;
  if (!args.text("id")) {
    return fail(usage_error("missing-option", "find a block of", "'" + block.path + "'",
                            "--id is missing (or --begin and --end, for another tool's block)"));
  }
  HF_TRY(check_block_id(block.syntax, block.id));
  return block;
}

Result<int> tell_edited(Context& context, const file::BlockFile& block,
                        const Result<file::BlockEdited>& done, const file::BlockReport& report) {
  note_restored(context, block.path, report.restored);
  if (!done) {
    if (const auto event = file::block_refused_event(block, done.error(), report)) {
      record_event(context, *event);
    }
    return fail(done.error());
  }
  context.emit(replaced_fields(done->file));
  if (done->block_changed) record_event(context, file::block_changed_event(block, *done));
  if (done->file.trouble) return fail(*done->file.trouble);
  return to_int(ExitCode::kDone);
}

std::string name_of(const file::BlockFile& block, const ManagedBlock& managed) {
  return managed.custom ? block.syntax.begin : std::string(managed.id);
}

}  // namespace holdfast::cli
