// SPDX-License-Identifier: Apache-2.0
//
// The locks that a change of a file must not outlive: those of HOLDFAST_CHAIN, as `holdfast lock`
// sets it, and the file's own if --token shows its token, or HOLDFAST_TOKEN with a HOLDFAST_LOCK
// that names this very file.
#pragma once

#include <memory>
#include <string>

#include "base/commit_gate.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "format/lock/lock_chain.h"

namespace holdfast::cli {

inline constexpr OptionSpec kFenceTokenOption{
    .name = "token",
    .kind = OptionKind::kText,
    .value = "TOKEN",
    .help =
        "change the file only while this token, which `acquire --file PATH` printed, holds its "
        "lock; `@FILE` reads it from a file. Without it, HOLDFAST_TOKEN if HOLDFAST_LOCK names "
        "the file. Locks of HOLDFAST_CHAIN are always checked"};

// From HOLDFAST_CHAIN, and from kFenceTokenOption or the environment about the lock of `path`.
// Errors: kCorrupt `bad-chain`, kCannotTell `newer-version`; kUsage `bad-token`; of lock/ledger/place.h.
Result<LockChain> fence_of(const Args& args, const std::string& path);

// The same as a gate; null where there is nothing to check.
Result<std::shared_ptr<CommitGate>> gate_of(const Args& args, const std::string& path);
// Of HOLDFAST_CHAIN alone.
Result<std::shared_ptr<CommitGate>> gate_of_environment();

}  // namespace holdfast::cli
