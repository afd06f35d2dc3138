// SPDX-License-Identifier: Apache-2.0
//
// `workspace attach NAME -- CMD` and `workspace resume NAME -- CMD`: attached while CMD runs.
//
// Guarantees: CMD runs attached, or not at all. The attachment is bound to CMD's own process before
// CMD's first byte runs, so that it lasts as long as CMD does, also where this process is killed.
// When CMD has ended it is detached. CMD is told HOLDFAST_WORKSPACE, HOLDFAST_WORKSPACE_DIR,
// HOLDFAST_TOKEN and, of `resume`, HOLDFAST_RESUME_ID.
//
// A run below CMD keeps the attachment, and whatever CMD leaves behind keeps the directory from gc
// (session/workspace/below.h): the one is not detached, and neither is waited for.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_found.h"
#include "session/workspace/workspace_attach.h"

namespace holdfast::cli {

enum class AttachAs : bool { kAttach, kResume };

// Attaches, tells the journal, and runs CMD where there is one; else prints what the caller needs.
// The exit code.
Result<int> attach_and_run(Context& context, const session::SessionStore& sessions,
                           const std::string& name, const session::AttachRequest& request,
                           AttachAs as, const std::vector<std::string>& command);

inline constexpr std::array kAttachFields{
    JsonField{"name", "of the workspace"},
    JsonField{"dir", "where the harness has its files"},
    JsonField{"token",
              "the secret with which `workspace detach` and `workspace set` are allowed; null "
              "where a command was run, which has ended"},
    JsonField{"guest", "it is attached beside the owner"},
    JsonField{"resume_id", "of `resume`; else null"},
    JsonField{"resumes", "how often the resume id was handed out"},
    JsonField{"left", "with a command: how many are attached still; else null"},
    JsonField{"state",
              "with a command, as `holdfast run`: `exited`, `killed`, `failed`; else null"},
    JsonField{"exit_code", "the command's own; null where it has none"},
    JsonField{"signal", "the number of the signal that the command died of; else null"},
    JsonField{"pid", "of the command; else null"},
};

}  // namespace holdfast::cli
