// SPDX-License-Identifier: Apache-2.0
//
// Who calls the commands `workspace …`: the process that an attachment is bound to, what is said of
// it to others, and by what it shows that an attachment is its own.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "format/session/process_identity.h"
#include "session/workspace/workspace_attach.h"

namespace holdfast::cli {

inline constexpr ArgumentSpec kWorkspaceArgument{.name = "NAME",
                                                 .help = "the name of the workspace"};

// Of commands that also take what `workspace get NAME id` prints.
inline constexpr ArgumentSpec kWorkspaceOrIdArgument{
    .name = "NAME",
    .help = "the name of the workspace, or its id, which no later workspace of the same name has"};

inline constexpr std::array kCallerOptions{
    OptionSpec{.name = "owner",
               .kind = OptionKind::kText,
               .value = "PID|none",
               .help = "the process with whose end the attachment ends (default: the calling shell "
                       "or program); `none`: it lasts until `workspace detach`"},
    OptionSpec{.name = "what",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "shown to others who want to attach (default: the terminal)"},
};

inline constexpr OptionSpec kWorkspaceTokenOption{
    .name = "token",
    .kind = OptionKind::kText,
    .value = "TOKEN",
    .help =
        "the token that was printed when it was made or attached to; `@FILE` reads it from a file, "
        "`-` from stdin. Without it, HOLDFAST_TOKEN, or whatever the calling process is attached "
        "as"};

// From kCallerOptions. With a command it is this process, until the command is there
// (workspace_wrap.h). Errors: kUsage.
Result<session::AttachRequest> caller_of(const Args& args);
// From kWorkspaceTokenOption; else HOLDFAST_TOKEN, which may be of a lock or of another workspace,
// and the calling process. Errors: kUsage `bad-token`.
Result<session::Claim> claim_of(const Args& args, const std::string& name);

}  // namespace holdfast::cli
