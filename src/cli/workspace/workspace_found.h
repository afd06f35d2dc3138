// SPDX-License-Identifier: Apache-2.0
//
// What the commands `workspace …` share: finding the workspace, and putting on record what
// was done to it.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "format/session/workspace_record.h"
#include "session/record/store.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::cli {

// kNotFound `no-such-workspace` where there is no home, or no workspace in it. Makes nothing.
Result<const session::SessionStore*> sessions_with(const Context& context, const std::string& name);

// The workspace that `typed` is the name of, else the one that it is the id of. kNotFound
// `no-such-workspace`; kCannotTell where a record that cannot be read may be the one.
Result<WorkspaceRecord> record_of(const session::SessionStore& sessions, const std::string& typed);

// Of what was done, and is not undone where this cannot be put on record: then it warns.
void tell_or_warn(Context& context, const Event& event);
// Of what must be on record before it is done.
Result<> put_on_record(Context& context, const Event& event);

// Where the answer of `workspace new` cannot be printed, nobody knows of the workspace: it is
// ended, and the next gc may have it. The error is that of printing.
Result<> check_heard(Context& context, const session::SessionStore& sessions,
                     const session::WorkspaceMade& made, const Clock& clock);

// The record of NAME and its directory, for who only looks. kNotFound `no-such-workspace`.
struct WorkspaceFound {
  const session::SessionStore* sessions;
  WorkspaceRecord record;
};
Result<WorkspaceFound> find_workspace(const Context& context, const std::string& name);

}  // namespace holdfast::cli
