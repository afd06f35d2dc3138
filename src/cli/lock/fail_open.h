// SPDX-License-Identifier: Apache-2.0
//
// --fail-open (run/lock/fail_open.h).
#pragma once

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "run/lock/fail_open.h"

namespace holdfast::cli {

inline constexpr OptionSpec kFailOpenOption{
    .name = "fail-open",
    .kind = OptionKind::kText,
    .value = "REASON[,REASON…]",
    .help =
        "go on without the lock, on record, if it cannot be got for one of these "
        "reasons: timeout, guard-timeout, unknown (cannot tell, 69), eacces, erofs, enospc, eio, "
        "emfile, enolck, unsupported-fs, backend-down, or any"};

// From kFailOpenOption. Errors: kUsage: an unknown word.
Result<run::FailOpenReasons> fail_open_reasons(const Args& args);

}  // namespace holdfast::cli
