// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/file/file_options.h"
#include "cli/file/managed_block_options.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/user_file.h"
#include "os/stream/stdio.h"

namespace holdfast::cli {
namespace {

using Where = BlockPlace::Where;

Result<BlockPlace> place_of(const Args& args) {
  const auto at = args.text("at");
  const auto before = args.text("before");
  const auto after = args.text("after");
  if (int{at.has_value()} + int{before.has_value()} + int{after.has_value()} > 1) {
    return fail(usage_error("two-places", "choose between", "--at, --before and --after",
                            "give one of them"));
  }
  if (at && *at == "start") return BlockPlace{.where = Where::kStart};
  if (!before && !after) return BlockPlace{};
  const std::string& line = before ? *before : *after;
  if (!line.empty() && line.find_first_of("\r\n") == line.npos) {
    return BlockPlace{.where = before ? Where::kBefore : Where::kAfter, .line = line};
  }
  return fail(usage_error("bad-value", "use the value of", before ? "--before" : "--after",
                          "it must be one whole line of the file"));
}

Result<int> run_block_put(Context& context, const Args& args) {
  const file::BlockFile block = HF_TRY(block_file_of(args, BlockId::kNeeded));
  const file::ReplaceOptions options = HF_TRY(locked_edit_options(context, args, "block put"));
  const BlockPlace place = HF_TRY(place_of(args));
  const auto from = args.text("from");
  const std::string content =
      HF_TRY(from ? read_user_file(*from, file::kLargestText) : os::read_stdin(file::kLargestText));
  const BlockPut put{
      .content = content,
      .allow_empty = args.flag("allow-empty"),
      .edits = args.flag("overwrite-edits") ? Edits::kOverwrite : Edits::kRefuse,
      .place = place,
  };
  const auto absent = args.flag("create") ? file::Absent::kCreate : file::Absent::kRefuse;
  file::BlockReport report;
  const auto done = file::put_block_in(block, put, absent, options, report);
  return tell_edited(context, block, done, report);
}

constexpr std::array kBlockPutOwnOptions{
    kBlockIdOption,
    OptionSpec{.name = "from",
               .letter = 'f',
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "take the content from FILE instead of standard input"},
    OptionSpec{.name = "create", .help = "where there is no file, begin with an empty one"},
    OptionSpec{.name = "at",
               .kind = OptionKind::kChoice,
               .value = "start|end",
               .help = "where a new block goes: the `end` (default), or the `start`, behind `#!`, "
                       "an XML declaration or front matter"},
    OptionSpec{.name = "before",
               .kind = OptionKind::kText,
               .value = "LINE",
               .help = "a new block goes before the one line of the file that is exactly LINE"},
    OptionSpec{.name = "after",
               .kind = OptionKind::kText,
               .value = "LINE",
               .help = "a new block goes behind that line"},
    OptionSpec{.name = "allow-empty", .help = "let the block be empty"},
    kOverwriteEditsOption,
};
constexpr auto kBlockPutOptions =
    joined(joined(kBlockPutOwnOptions, kBlockSyntaxOptions), kEditOptions);

constexpr std::array kBlockPutExamples{
    Example{.line = "holdfast block put ~/.bashrc --id mytool/path --from path.sh",
            .says = "Put it there, or bring it up to date; run it as often as you like"},
    Example{.line = "holdfast block put AGENTS.md --id rules --from rules.md --create --at start",
            .says = "The first block of a file that may not be there yet"},
    Example{.line = "holdfast block put .env --begin '# BEGIN x' --end '# END x' --from x.env",
            .says = "A block that another tool began"},
};

constexpr std::array kBlockPutExits{
    ExitNote{ExitCode::kDone, "the block has this content (or had it already)"},
    ExitNote{
        ExitCode::kCorrupt,
        "the markers of the file are not in order, or the content is refused (empty, has a "
        "marker line, leaves a code fence open), or the place is not one; nothing was changed"},
    ExitNote{ExitCode::kNo, "there is no such file, and no --create"},
    kEditIoExit,
    ExitNote{ExitCode::kNotDurable, "the new content is in place, but a power cut may undo it"},
    ExitNote{ExitCode::kBusy,
             "somebody holds the lock of the file or of its directory, or somebody else changed "
             "the file in this moment"},
    ExitNote{ExitCode::kRefused,
             "somebody edited the inside of the block by hand, or the path is unsafe (a link, "
             "another owner, hard links); nothing was changed"},
};

constexpr std::array kBlockPutBrief{
    HelpGroup{.title = "The block", .options = "id|from|at|style"},
    HelpGroup{.title = "The file", .options = "create|backup|if-hash|wait"},
};

}  // namespace

constinit const CommandSpec kBlockPutCommand{
    .name = "block put",
    .summary = "put a block into a text file, or change it",
    .description =
        "Gives the block the content of standard input, or of --from FILE. An existing block keeps "
        "its place; a new one goes to the end, or where --at, --before or --after says. Not a byte "
        "outside the block changes, and the same content again changes nothing.\n\n"
        "Line ends become those of the file; its byte order mark and the state of its final "
        "newline "
        "stay. Blocks of other ids are left alone, also by others who put theirs in the same "
        "moment.\n\n"
        "What is refused, and what the markers look like: `holdfast help block`.",
    .options = kBlockPutOptions,
    .arguments = kBlockArguments,
    .examples = kBlockPutExamples,
    .exits = kBlockPutExits,
    .json_fields = kReplacedFields,
    .brief = kBlockPutBrief,
    .run = run_block_put,
};

}  // namespace holdfast::cli
