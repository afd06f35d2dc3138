// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/printable.h"
#include "cli/file/file_options.h"
#include "cli/file/managed_block_options.h"
#include "cli/frame/commands.h"
#include "format/json/json.h"
#include "os/machine/sha256.h"

namespace holdfast::cli {
namespace {

Json block_list_fields_of(const file::BlockFile& block, const ManagedBlock& managed,
                          std::string_view text) {
  return {
      {"id", managed.custom ? Json(nullptr) : Json(managed.id)},
      {"begin", managed.custom ? Json(block.syntax.begin) : Json(nullptr)},
      {"first_line", managed.first_line},
      {"last_line", managed.last_line},
      {"bytes", managed.content_end - managed.content},
      {"edited", managed.custom ? Json(nullptr) : Json(edited_inside(text, managed, os::sha256))}};
}

std::string block_list_line_of(const file::BlockFile& block, const ManagedBlock& managed,
                               std::string_view text) {
  std::string line = printable(name_of(block, managed)) + ": lines " +
                     std::to_string(managed.first_line) + " to " +
                     std::to_string(managed.last_line) + ", " +
                     std::to_string(managed.content_end - managed.content) + " bytes";
  if (edited_inside(text, managed, os::sha256)) line += ", edited by hand";
  return line + "\n";
}

Result<int> run_block_list(Context& context, const Args& args) {
  const file::BlockFile block = HF_TRY(block_file_of(args, BlockId::kNotAsked));
  const std::string text = HF_TRY(file::read_text(block.path, links_to_read(args), trust_of(args)));
  const BlockDocument document = HF_TRY(parse_blocks(text, block.syntax, block.path));
  Json blocks = Json::array();
  for (const ManagedBlock& managed : document.blocks) {
    context.print(block_list_line_of(block, managed, text));
    blocks.push_back(block_list_fields_of(block, managed, text));
  }
  context.emit({{"blocks", std::move(blocks)}});
  if (document.anomalies.empty()) return to_int(ExitCode::kDone);
  return fail(anomalies_error(block.path, document.anomalies));
}

constexpr std::array kBlockListOwnOptions{kReadLinksOption, kTrustDirOption};
constexpr auto kBlockListOptions = joined(kBlockListOwnOptions, kBlockSyntaxOptions);

constexpr std::array kBlockListExamples{
    Example{.line = "holdfast block list AGENTS.md", .says = "Who has what in this file"},
};

constexpr std::array kBlockListExits{
    ExitNote{ExitCode::kDone, "the blocks were listed; there may be none"},
    ExitNote{ExitCode::kCorrupt,
             "the markers of the file are not in order; what is in order was listed"},
    ExitNote{ExitCode::kNo, "there is no such file"},
    ExitNote{ExitCode::kCannotTell, "a write in place of the file is not finished"},
    ExitNote{ExitCode::kRefused, "the path is unsafe: a link, a special file"},
};

constexpr std::array kBlockListFields{
    JsonField{
        "blocks",
        "a list with `id`, `first_line`, `last_line`, `bytes` and `edited` (by hand, since it "
        "was put there) of each; for another tool's `id` and `edited` are null and `begin` is "
        "its line"},
};

}  // namespace

constinit const CommandSpec kBlockListCommand{
    .name = "block list",
    .summary = "list the blocks of a text file",
    .description =
        "Shows each block in the style of the file, in its order, with its lines and size, and "
        "whether somebody edited it by hand. With --begin and --end also another tool's.",
    .options = kBlockListOptions,
    .arguments = kBlockArguments,
    .examples = kBlockListExamples,
    .exits = kBlockListExits,
    .json_fields = kBlockListFields,
    .run = run_block_list,
};

}  // namespace holdfast::cli
