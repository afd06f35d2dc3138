// SPDX-License-Identifier: Apache-2.0
//
// From the record of one workspace or run and the kernel to the Facts of decide.h.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/workspace_record.h"
#include "gc/decide.h"
#include "gc/options.h"
#include "session/record/store.h"

namespace holdfast::gc {

// The run in a workspace's directory.
struct RunFacts {
  RunNow now = RunNow::kNone;
  Id128 id{};                // of the newest run
  std::uint64_t number = 0;  // of it
  WallTime created{};
  Duration age{};  // since it ended; the smaller one of what the two clocks say
  // Its end is on record. Else its supervisor died, and nobody knows when it ended.
  bool settled = false;
};
RunFacts facts_of_run(const session::SessionDir& dir, const BootMoment& now, WallTime wall);

// Who counts on the workspace. Not known where the claims could not be read.
Claim claim_on(const Result<ClaimOn>& claims, const session::SessionDir& dir);

// Is somebody attached, or was when he died, or has the run in it no end on record?
bool is_ttl_held(const WorkspaceRecord& record, const RunFacts& run);

// Judges the processes that are attached.
//
// A ttl runs from the last sign of life on: the record's own, or the end of the run in it. While
// somebody is attached it does not run; nor does it where somebody died attached, or a run's
// supervisor died, before record_updates.h has seen that.
// `below`: somebody works below it (session/workspace/below.h), or that cannot be told.
Facts facts_of(const WorkspaceRecord& record, const RunFacts& run, Claim claim,
               const BootMoment& now, bool below);

// The word for a record that cannot be read.
std::string unreadable(const Error& error);

}  // namespace holdfast::gc
