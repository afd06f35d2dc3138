// SPDX-License-Identifier: Apache-2.0
//
// A loop's file, and its state in the home.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/file/file_options.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "format/loop/loop_file.h"
#include "loop/item/item_command.h"
#include "loop/item/item_log.h"
#include "loop/item/loop_dir.h"

namespace holdfast::cli {

inline constexpr ArgumentSpec kLoopFileArgument{.name = "FILE",
                                                .help = "the loop's file (`holdfast help loop`)"};
inline constexpr OptionSpec kLoopMovedOption{
    .name = "moved",
    .help = "the file was moved or renamed: the state under its loop's name is its own"};

Result<LoopFile> read_loop_file(const std::string& path, file::TrustDir trust);

// The state of a loop that has worked before. kNotFound `no-such-loop` where it has not.
struct LoopState {
  LoopFile file;
  std::unique_ptr<loop::LoopDir> dir;
  std::unique_ptr<loop::ItemLog> log;
};
Result<LoopState> find_loop(const Context& context, const std::string& path, file::TrustDir trust);
// The same, made where it is missing.
Result<LoopState> open_loop(const Context& context, const std::string& path, bool moved,
                            file::TrustDir trust);

// Of the file's `profile`. The context and the file must outlive it.
loop::ProfileOrder profile_order(Context& context, const LoopFile& file, file::TrustDir trust);

}  // namespace holdfast::cli
