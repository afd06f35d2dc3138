// SPDX-License-Identifier: Apache-2.0
//
// What a person says of a workspace that no proof says: "this was never mine to keep" (forget) and
// "its engine will never answer again" (end_assumed_gone).
//
// Guarantees: nothing of the workspace's own is removed or moved. Both happen under the workspace's
// lock, on the very record that was looked at before (kBusy `changed` otherwise), and only after
// `announce` has put them on record; where it fails, nothing is done. Neither is done while
// somebody is attached who is not proven dead.
//
// Errors: kBusy `attached`, `changed`, `runs`; kRefused `not-ready`, `in-the-home`,
// `not-confirmed`; kCannotTell `run-unknown`; kNotFound `no-such-workspace`; those of
// session/workspace/workspace.h and of `announce`.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/workspace_record.h"
#include "session/record/store.h"

namespace holdfast::session {

using Announce = std::function<Result<>(const WorkspaceRecord& record)>;

// The record of a workspace whose directory lies outside of the home goes, with its name and its
// entry in the list of session/workspace/outside.h; the directory stays as it is. Of one in the
// home the directory is the record's own: kRefused `in-the-home`. What runs have left beside the
// record stays, too. Death on the way leaves the workspace, or an entry or a stage that gc clears
// away.
Result<> forget(const SessionStore& store, const WorkspaceRecord& judged, const Announce& announce);

// It has ended, and nobody is to be asked about it any more: its authority becomes a former one.
// The record as it is then.
Result<WorkspaceRecord> end_assumed_gone(const SessionStore& store, const WorkspaceRecord& judged,
                                         std::string reason, const Clock& clock,
                                         const Announce& announce);

}  // namespace holdfast::session
