// SPDX-License-Identifier: Apache-2.0
#include "cli/file/managed_block_options.h"

#include <utility>

#include "cli/file/file_options.h"
#include "cli/frame/command_line.h"
#include "cli/frame/user_file.h"
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

// On record a block of another tool without an id is called by its begin line.
std::string recorded_id(const file::BlockFile& block) {
  return block.id.empty() ? block.syntax.begin : block.id;
}

void record_changed(Context& context, const file::BlockFile& block, const file::BlockEdited& done) {
  if (!done.block_changed) return;
  EventData data;
  data.text("path", absolute_path(block.path).value_or(block.path)).text("id", recorded_id(block));
  if (done.old_digest) data.text("old_sha256", to_hex(*done.old_digest));
  if (done.new_digest) data.text("new_sha256", to_hex(*done.new_digest));
  record_event(context, {.type = "block.changed", .data = std::move(data)});
}

// A wrong command line and "not there" are no refusals.
bool is_refusal(const Error& error) {
  return error.code != ErrorCode::kUsage && error.code != ErrorCode::kNotFound;
}

void record_block_refused(Context& context, const file::BlockFile& block, const Error& error,
                          std::size_t line) {
  if (!is_refusal(error)) return;
  EventData data;
  data.text("path", absolute_path(block.path).value_or(block.path))
      .text("id", recorded_id(block))
      .text("reason", error.cause.empty() ? "unknown" : error.cause);
  if (line > 0) data.count("line", line);
  record_event(context, {.type = "block.refused", .data = std::move(data)});
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
    record_block_refused(context, block, done.error(), report.line);
    return fail(done.error());
  }
  context.emit(replaced_fields(done->file));
  record_changed(context, block, *done);
  if (done->file.trouble) return fail(*done->file.trouble);
  return to_int(ExitCode::kDone);
}

std::string name_of(const file::BlockFile& block, const ManagedBlock& managed) {
  return managed.custom ? block.syntax.begin : std::string(managed.id);
}

}  // namespace holdfast::cli
