// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/file/file_options.h"
#include "cli/file/managed_block_options.h"
#include "cli/frame/commands.h"
#include "os/machine/sha256.h"

namespace holdfast::cli {
namespace {

Result<int> run_block_get(Context& context, const Args& args) {
  const file::BlockFile block = HF_TRY(block_file_of(args, BlockId::kNeeded));
  const std::string text = HF_TRY(file::read_text(block.path, links_to_read(args), trust_of(args)));
  std::size_t line = 0;
  const std::string_view content = HF_TRY(get_block(
      text, {.path = block.path, .syntax = block.syntax, .id = block.id, .hash = os::sha256},
      line));
  context.print(content);
  context.emit({{"content", content}, {"sha256", to_hex(block_digest(content, os::sha256))}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kBlockGetOwnOptions{kBlockIdOption, kReadLinksOption, kTrustDirOption};
constexpr auto kBlockGetOptions = joined(kBlockGetOwnOptions, kBlockSyntaxOptions);

constexpr std::array kBlockGetExamples{
    Example{.line = "holdfast block get ~/.bashrc --id mytool/path",
            .says = "What is in the block now"},
};

constexpr std::array kBlockGetExits{
    ExitNote{ExitCode::kDone, "the content was printed"},
    ExitNote{ExitCode::kCorrupt, "the markers of the file are not in order"},
    ExitNote{ExitCode::kNo, "there is no such block, or no such file"},
    ExitNote{ExitCode::kCannotTell, "a write in place of the file is not finished"},
    ExitNote{ExitCode::kRefused, "the path is unsafe: a link, a special file"},
};

constexpr std::array kBlockGetFields{
    JsonField{"content", "what is in the block; bytes that are not UTF-8 are replaced"},
    JsonField{"sha256", "of the content with its line ends as LF"},
};

}  // namespace

constinit const CommandSpec kBlockGetCommand{
    .name = "block get",
    .summary = "print what is in a block",
    .description = "Prints the content of the block, byte for byte, with the file's line ends.",
    .options = kBlockGetOptions,
    .arguments = kBlockArguments,
    .examples = kBlockGetExamples,
    .exits = kBlockGetExits,
    .json_fields = kBlockGetFields,
    .run = run_block_get,
};

}  // namespace holdfast::cli
