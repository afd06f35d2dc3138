// SPDX-License-Identifier: Apache-2.0
//
// The lock of a session of a harness (`harness.lock` in its directory; on Windows a byte of one
// file in sessions/), and the way of a run into a directory that may be such a session's.
//
// The lock is the kernel's: it ends with its holder. Whoever holds it has the directory that was
// opened; whether the name still leads there is for the caller to look at afterwards.
#pragma once

#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"
#include "os/sys/handle.h"
#include "session/record/store.h"

namespace holdfast::session {

// Held as long as a copy of it is there.
using HarnessLock = std::shared_ptr<const void>;

// Made anew where somebody removed it. Null: not in time (a `wait` of 0 tries once).
Result<HarnessLock> lock_harness_dir(const os::Dir& dir, Duration wait);

// For a directory that was just made: null where somebody was faster.
Result<HarnessLock> make_harness_lock(const os::Dir& dir);

// Is the maker of a stage still at work? Free, and nobody gets it as long as `lock` is there. If
// the maker had not come as far as its lock it is made here, and a maker who finds it made, or
// taken, begins another stage: so the lock alone decides whose the stage is.
struct StageLock {
  bool free = false;
  HarnessLock lock{};
};
Result<StageLock> try_stage_lock(const os::Dir& dir);

// For a child that is to hold it too: the lock ends with the last of them. Nothing on Windows,
// where a lock ends with its process.
os::NativeHandle handle_of(const HarnessLock& lock);

// Before the directory goes.
Result<> remove_harness_lock(const os::Dir& dir);

// The directory of a session, made where there is none, for a run that holds the lock of its name
// and is about to write its first record.
//
// Guarantee: as long as this object is there, the directory keeps its name: `gc` moves the
// directory of a harness's session only under the lock that is held here, and that of any other
// only with the name of the run. Once the record is written, it protects itself.
//
// Errors: kBusy `session-busy` where the lock was not had in time: somebody changes the session, or
// `gc` is about to remove it; of store.h.
struct RunPlace {
  SessionDir dir;
  HarnessLock lock;  // null: no session of a harness
};
Result<RunPlace> enter_for_run(const SessionStore& store, std::string_view name);

}  // namespace holdfast::session
