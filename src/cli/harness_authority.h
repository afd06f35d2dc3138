// SPDX-License-Identifier: Apache-2.0
//
// --authority KIND:ID, asked for at the engine that it names.
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/args.h"
#include "cli/command.h"
#include "format/authority.h"

namespace holdfast::cli {

inline constexpr OptionSpec kAuthorityOption{
    .name = "authority",
    .kind = OptionKind::kText,
    .value = "KIND:ID",
    .help =
        "who vouches that it lives: `process:PID`, `podman:NAME`, `docker:NAME`, "
        "`systemd:UNIT`, `tmux:SESSION`, or `command:ID` for `gc --probe`"};

// From kAuthorityOption; nullopt where it was not typed. Errors: kUsage; those of authority/ask.h:
// kCannotTell where the engine does not answer.
Result<std::optional<Authority>> authority_option(const Args& args);

}  // namespace holdfast::cli
