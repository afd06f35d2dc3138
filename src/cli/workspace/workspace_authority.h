// SPDX-License-Identifier: Apache-2.0
//
// --authority KIND:ID, asked for at the engine that it names.
#pragma once

#include <optional>
#include <string>

#include "authority/ask.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "format/session/authority.h"
#include "session/workspace/workspace_new.h"

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

// kRefused `container-exists` where `order` is for a container that is there already and has no
// workspace of this name.
Result<> check_container_is_new(const session::SessionStore& sessions,
                                const session::WorkspaceRequest& order);

// What the authority of a workspace says of it now; `not-asked` of a command, which only `gc
// --probe` knows.
authority::Verdict ask_about(const Authority& authority, const std::string& session);

}  // namespace holdfast::cli
