// SPDX-License-Identifier: Apache-2.0
//
// What a record says against what the processes show: is it true enough to act on?
//
// A record is a hint, and somebody may have put another process into it, or the run id or the
// control group of another session. So before anybody is signalled for it:
//
//   - the command, if it lives, carries the run id of the record in its environment, or the ledger
//     of the session's name says as well that the name was held for it;
//   - whoever carries the run id names this very session in its environment (HOLDFAST_SESSION);
//   - neither process 1, nor the caller, nor anybody above it is among them.
//
// Limit: a process of the same user can forge all of it together, and can signal by itself.
// Platform: Linux only.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "os/process/pid.h"
#include "run/orphan/orphan.h"

namespace holdfast::run {

struct Proof {
  // A stable word: why nobody may be signalled for this record. Empty: it may be acted on.
  // `process-1`, `caller-in-tree`, `not-its-command`, `other-session`.
  std::string refuted{};
  // Who was seen, as "1234 (name)": carriers of the run id, and the command.
  std::vector<std::string> seen{};
};

// `members` are of its control group, where it has one.
Result<Proof> prove(const Orphan& orphan, const std::vector<os::Pid>& members);

// The same proof for `kill NAME`, which signals the command (of a record without one, the
// supervisor) beside whoever has the name: why it may not be; empty: it may. `not-its-command`,
// `other-session`, or `not-its-supervisor`: the ledger of the name says otherwise.
Result<std::string> doubt_about(lock::LocalBackend& locks, const session::SessionDir& dir,
                                const SessionRecord& record);

}  // namespace holdfast::run
