// SPDX-License-Identifier: Apache-2.0
//
// What the `block` commands share: which block of which file is meant, and how a change of one is
// told and put on record. (cli/frame/command_table.h is another thing: a piece of a manual page.)
#pragma once

#include <array>
#include <cstdint>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "file/block/block_edit.h"

namespace holdfast::cli {

inline constexpr OptionSpec kBlockIdOption{
    .name = "id",
    .kind = OptionKind::kText,
    .value = "ID",
    .help = "which block: 1 to 100 of the characters A-Z a-z 0-9 . _ / : @ + -"};

inline constexpr std::array kBlockSyntaxOptions{
    OptionSpec{.name = "style",
               .kind = OptionKind::kText,
               .value = "STYLE",
               .help = "how the file writes comments, a word of `holdfast help block`; without it "
                       "the file's name decides"},
    OptionSpec{.name = "begin",
               .kind = OptionKind::kText,
               .value = "LINE",
               .help = "the line before a block of another tool, exactly; with --end, instead of "
                       "holdfast's own markers"},
    OptionSpec{
        .name = "end", .kind = OptionKind::kText, .value = "LINE", .help = "the line behind it"},
};

// Of those who only look; there is nothing to replace.
inline constexpr OptionSpec kReadLinksOption{
    .name = "links",
    .kind = OptionKind::kChoice,
    .value = "refuse|follow",
    .help = "what to do about symbolic links in the path: `refuse` (default), or `follow` them"};
file::Links links_to_read(const Args& args);

inline constexpr OptionSpec kOverwriteEditsOption{
    .name = "overwrite-edits",
    .help = "go on although somebody edited the inside of the block by hand; the edits are lost"};

inline constexpr std::array kBlockArguments{ArgumentSpec{.name = "PATH", .help = "the text file"}};

enum class BlockId : std::uint8_t {
  kNeeded,    // unless --begin and --end name the block
  kNotAsked,  // the command has no --id
};

// Errors: kUsage.
Result<file::BlockFile> block_file_of(const Args& args, BlockId id);

// The end of `put` and `remove`: shows what was done and puts it on record (`block.changed` or
// `block.refused`).
Result<int> tell_edited(Context& context, const file::BlockFile& block,
                        const Result<file::BlockEdited>& done, const file::BlockReport& report);

// How a block of the file is called: its id, or the begin line of another tool's.
std::string name_of(const file::BlockFile& block, const ManagedBlock& managed);

}  // namespace holdfast::cli
