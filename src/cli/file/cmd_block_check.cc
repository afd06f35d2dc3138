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

Json block_check_fields_of(const MarkerAnomaly& anomaly) {
  return {{"line", anomaly.line},
          {"kind", to_text(anomaly.kind)},
          {"id", anomaly.id.empty() ? Json(nullptr) : Json(anomaly.id)},
          {"text", anomaly.text}};
}

Json tell_anomalies(Context& context, const file::BlockFile& block, const BlockDocument& document) {
  Json list = Json::array();
  for (const MarkerAnomaly& anomaly : document.anomalies) {
    context.print(printable(block.path) + ":" + std::to_string(anomaly.line) + ": " +
                  std::string(to_text(anomaly.kind)) + ": " + printable(anomaly.text) + "\n");
    list.push_back(block_check_fields_of(anomaly));
  }
  return list;
}

Json tell_edited_blocks(Context& context, const file::BlockFile& block,
                        const BlockDocument& document, std::string_view text) {
  Json list = Json::array();
  for (const ManagedBlock& managed : document.blocks) {
    if (!edited_inside(text, managed, os::sha256)) continue;
    context.note(printable(block.path) + ":" + std::to_string(managed.first_line) +
                 ": the block '" + name_of(block, managed) +
                 "' was edited by hand since it was put there");
    list.push_back({{"id", managed.id}, {"line", managed.first_line}});
  }
  return list;
}

Result<int> run_block_check(Context& context, const Args& args) {
  const file::BlockFile block = HF_TRY(block_file_of(args, BlockId::kNotAsked));
  const std::string text = HF_TRY(file::read_text(block.path, links_to_read(args), trust_of(args)));
  const BlockDocument document = HF_TRY(parse_blocks(text, block.syntax, block.path));
  Json anomalies = tell_anomalies(context, block, document);
  Json edited = tell_edited_blocks(context, block, document, text);
  context.emit({{"blocks", document.blocks.size()},
                {"anomalies", std::move(anomalies)},
                {"edited", std::move(edited)}});
  return to_int(document.anomalies.empty() ? ExitCode::kDone : ExitCode::kCorrupt);
}

constexpr std::array kBlockCheckOwnOptions{kReadLinksOption, kTrustDirOption};
constexpr auto kBlockCheckOptions = joined(kBlockCheckOwnOptions, kBlockSyntaxOptions);

constexpr std::array kBlockCheckExamples{
    Example{.line = "holdfast block check AGENTS.md",
            .says = "Would `block put` work here, and if not, which lines are in its way?"},
};

constexpr std::array kBlockCheckExits{
    ExitNote{ExitCode::kDone, "the markers are in order"},
    ExitNote{ExitCode::kCorrupt, "they are not, or it is no text; each line is listed"},
    ExitNote{ExitCode::kNo, "there is no such file"},
    ExitNote{ExitCode::kCannotTell, "a write in place of the file is not finished"},
    ExitNote{ExitCode::kRefused, "the path is unsafe: a link, a special file"},
};

constexpr std::array kBlockCheckFields{
    JsonField{"blocks", "how many are in order"},
    JsonField{
        "anomalies",
        "a list with `line`, `kind`, `id` and `text` of each marker line that is not in order"},
    JsonField{"edited", "a list with `id` and `line` of each block that was edited by hand"},
};

}  // namespace

constinit const CommandSpec kBlockCheckCommand{
    .name = "block check",
    .summary = "list what is wrong with the markers of a text file",
    .description =
        "Prints each marker line that is not in order, as `PATH:LINE: KIND: TEXT`; the kinds are "
        "in "
        "`holdfast help block`. A block that was edited by hand is noted, and is no fault. Changes "
        "nothing.",
    .options = kBlockCheckOptions,
    .arguments = kBlockArguments,
    .examples = kBlockCheckExamples,
    .exits = kBlockCheckExits,
    .json_fields = kBlockCheckFields,
    .run = run_block_check,
};

}  // namespace holdfast::cli
