// SPDX-License-Identifier: Apache-2.0
//
// What the commands that change files ask of locks (run/lock/file_locks.h): the options.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/commit_gate.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "file/replace/replace.h"
#include "run/lock/file_locks.h"

namespace holdfast::cli {

using run::edit_lock;
using run::FileLock;
using run::FileLocks;
inline constexpr auto kMakeLock = FileLocks::Absent::kMake;

// The locks that a change of a file must not outlive: those of HOLDFAST_CHAIN, as `holdfast lock`
// sets it, and the file's own if --token shows its token, or HOLDFAST_TOKEN with a HOLDFAST_LOCK
// that names this very file.
inline constexpr OptionSpec kFenceTokenOption{
    .name = "token",
    .kind = OptionKind::kText,
    .value = "TOKEN",
    .help =
        "change the file only while this token, which `acquire --file PATH` printed, holds its "
        "lock; `@FILE` reads it from a file. Without it, HOLDFAST_TOKEN if HOLDFAST_LOCK names "
        "the file. Locks of HOLDFAST_CHAIN are always checked"};

// The same as a gate; null where there is nothing to check.
Result<std::shared_ptr<CommitGate>> gate_of(const Args& args, const std::string& path);
// Of HOLDFAST_CHAIN alone.
Result<std::shared_ptr<CommitGate>> gate_of_environment();

// Of a command with PATH and kFenceTokenOption; `command` is its name. Errors: of fence_of.
Result<FileLocks::Request> file_locks_for(const Args& args, std::string_view command,
                                          const file::ReplaceOptions& options);

}  // namespace holdfast::cli
