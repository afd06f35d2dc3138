// SPDX-License-Identifier: Apache-2.0
//
// A workspace as it is shown: fields for programs, lines and a table for people. Tokens
// are never shown.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "format/session/workspace_record.h"
#include "session/workspace/workspace.h"

namespace holdfast::cli {

// What the record says, and what the kernel says of who is attached.
struct WorkspaceFacts {
  WorkspaceRecord record;
  std::string directory;
  session::AttachedNow now;
};
Result<WorkspaceFacts> facts_of(const session::SessionStore& store, WorkspaceRecord record);

Json workspace_json(const WorkspaceFacts& facts);
inline constexpr std::array kWorkspaceFields{
    JsonField{"name", "of the workspace"},
    JsonField{"state", "`ready`, `ended`, or `reserved`: its directory is being made"},
    JsonField{"dir", "where the harness has its files"},
    JsonField{"outside", "the directory lies outside of the home"},
    JsonField{"adopted", "the directory was there before its record"},
    JsonField{"id", "of this workspace and of no later one of the same name"},
    JsonField{"created", "when it was made"},
    JsonField{"authority",
              "who vouches that it lives: `kind`, `id`, `full_id`, `daemon`, "
              "`endpoint`; or null"},
    JsonField{"former_authority", "who vouched for it before, and is asked no more; or null"},
    JsonField{"resume_id", "as it was recorded; or null"},
    JsonField{"resumes", "how often it was handed out"},
    JsonField{"ttl_ms", "after so long without a sign of life it counts as ended; or null"},
    JsonField{"owner", "who works in it, as in `attached`; null where nobody does"},
    JsonField{"attached",
              "who is there: `pid`, `guest`, `since`, `what`, `evidence`; the dead are "
              "left out"},
    JsonField{"ended", "when it was said to have ended; or null"},
    JsonField{"reason", "why, as it was said; or null"},
    JsonField{"fields", "the harness's own, `KEY: value`"},
    JsonField{"change", "a number that rises with every change"},
};

// One fact to a line.
std::string workspace_text(const WorkspaceFacts& facts, WallTime now);

struct UnreadWorkspace {
  std::string name;
  Error why;
};
// A directory in sessions/ in which neither a harness nor a run has its record.
struct NoRecord {
  std::string name;
  std::string directory;
};
using WorkspaceRow = std::variant<WorkspaceFacts, UnreadWorkspace, NoRecord>;
std::string workspace_table(const Context& context, const std::vector<WorkspaceRow>& rows,
                            WallTime now);
Json workspace_row_json(const WorkspaceRow& row);

}  // namespace holdfast::cli
