// SPDX-License-Identifier: Apache-2.0
//
// adopt_session: a new supervisor for an orphan, in a process of its own in the background
// (adopted_run.h). Returns once the record says that it is adopted.
//
// Errors: kNotFound `no-such-session`, `session-over` (with what it is); kBusy `session-live`: its
// supervisor lives, or somebody else is taking care of it; kCannotTell `session-unknown`,
// `nothing-to-hold` (no control group, and its command is gone: there is nothing to watch);
// kRefused where the record is not true (orphan_proof.h). Nothing was signalled.
//
// Windows has no adoption: the job that the supervisor holds ends the tree with it. So an orphan is
// one for a moment: kBusy `ending`. kRefused `unsupported` if its command lives on all the same.
#pragma once

#include <functional>

#include "base/result.h"
#include "os/process/pid.h"
#include "run/orphan/orphan.h"
#include "session/record/store.h"

namespace holdfast::run {

bool adoption_is_offered();

// The new supervisor. `in_supervisor` is called there first: it is a child by fork, and may have to
// let go of what its parent holds.
Result<os::Pid> adopt_session(const OrphanServices& services, session::SessionDir dir,
                              const std::function<void()>& in_supervisor = {});

}  // namespace holdfast::run
