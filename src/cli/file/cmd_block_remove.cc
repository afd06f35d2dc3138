// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/file/file_options.h"
#include "cli/file/managed_block_options.h"
#include "cli/frame/commands.h"

namespace holdfast::cli {
namespace {

Result<int> run_block_remove(Context& context, const Args& args) {
  const file::BlockFile block = HF_TRY(block_file_of(args, BlockId::kNeeded));
  const file::ReplaceOptions options = HF_TRY(locked_edit_options(context, args, "block remove"));
  const Edits edits = args.flag("overwrite-edits") ? Edits::kOverwrite : Edits::kRefuse;
  file::BlockReport report;
  const auto done = file::remove_block_from(block, edits, options, report);
  return tell_edited(context, block, done, report);
}

constexpr std::array kBlockRemoveOwnOptions{kBlockIdOption, kOverwriteEditsOption};
constexpr auto kBlockRemoveOptions =
    joined(joined(kBlockRemoveOwnOptions, kBlockSyntaxOptions), kEditOptions);

constexpr std::array kBlockRemoveExamples{
    Example{.line = "holdfast block remove ~/.bashrc --id mytool/path",
            .says = "The file is then as if the block had never been there"},
};

constexpr std::array kBlockRemoveExits{
    ExitNote{ExitCode::kDone, "the block is gone"},
    ExitNote{ExitCode::kCorrupt, "the markers of the file are not in order; nothing was changed"},
    ExitNote{ExitCode::kNo, "there is no such block, or no such file"},
    kEditIoExit,
    ExitNote{ExitCode::kNotDurable, "it is gone, but a power cut may bring it back"},
    ExitNote{
        ExitCode::kBusy,
        "somebody holds the lock of the file or of its directory, or changed it in this moment"},
    ExitNote{ExitCode::kRefused,
             "somebody edited the inside of the block by hand, or the path is unsafe; nothing was "
             "changed"},
};

}  // namespace

constinit const CommandSpec kBlockRemoveCommand{
    .name = "block remove",
    .summary = "take a block out of a text file",
    .description =
        "Removes the marker lines and what is between them, and no byte outside. What `block put` "
        "added to a file, this takes away again: the file has its old bytes, also where it has no "
        "final newline.",
    .options = kBlockRemoveOptions,
    .arguments = kBlockArguments,
    .examples = kBlockRemoveExamples,
    .exits = kBlockRemoveExits,
    .json_fields = kReplacedFields,
    .run = run_block_remove,
};

}  // namespace holdfast::cli
