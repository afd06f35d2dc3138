// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving of a run and a clean-up. `holdfast run --name X` begins in the directory
// of the session X while `gc` is about to move that directory to the trash. The lock of a name
// needs a ledger, which is made, synced and kept; to make one for each of a hundred thousand dead
// sessions in which nothing was ever run costs more than removing them. So gc takes the name only
// where its ledger is there already, and what keeps the two apart is the session's own lock:
//
// - The run holds its name; then it opens the directory, takes harness.lock, and looks whether the
//   name in sessions/ still leads to what it has opened. Only then it writes its record, and lets
//   go.
// - gc takes harness.lock, then looks for the ledger. No ledger: no run has come as far as its
//   record, since a run makes the ledger before anything else. It may come now, but no further
//   than to harness.lock, which gc keeps until the directory has left its name. A ledger: gc
//   needs the name too, and does not wait for it.
//
// So either the run has the lock first, and gc finds its ledger, its name held or its record; or gc
// has it first, and the run waits, finds that the name leads elsewhere, and begins in a new
// directory, as if it had come a moment later. There is no order in which a run writes into the
// trash. Neither waits for what the other has while it holds what the other wants: gc never waits.
//
// A directory becomes a session of a harness only by a rename that brings harness.json with it
// (harness_stage.h). So one that has no such file when it is opened has none later; but it may have
// had one, and be on its way out. So the name is looked at in every case. Whoever removes a
// directory takes its lock file with it, so a lock that cannot be made, too, says that it is gone.
#include "session/workspace/harness_lock.h"

#include <string>

#include "session/record/layout.h"
#include "session/workspace/harness.h"

namespace holdfast::session {
namespace {

constexpr int kHarnessLockMostNewcomers = 8;

// Removed between our making or opening it and our next step in it.
template <typename T>
bool gone(const Result<T>& result) {
  return !result && result.error().code == ErrorCode::kNotFound;
}

}  // namespace

Result<RunPlace> enter_for_run(const SessionStore& store, std::string_view name) {
  const os::SafeName file_name = HF_TRY(file_name_of(name));
  for (int i = 0; i < kHarnessLockMostNewcomers; ++i) {
    auto found = store.find_or_make(name);
    if (gone(found)) continue;
    if (!found) return fail(std::move(found).error());
    RunPlace place{.dir = *std::move(found), .lock = {}};
    const os::Dir& dir = place.dir.dir();
    if (HF_TRY(dir.id_of(harness_name()))) {
      auto lock = lock_harness_dir(dir, kHarnessLockWait);
      if (gone(lock)) continue;
      if (!lock) return fail(std::move(lock).error());
      if (!*lock) break;
      place.lock = *std::move(lock);
    }
    const auto leads_to = HF_TRY(store.dir().id_of(file_name));
    if (leads_to && *leads_to == HF_TRY(dir.info()).id) return place;
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "run in the session",
               .subject = "'" + std::string(name) + "'",
               .cause = "session-busy",
               .detail = "somebody else is changing it, or `gc` is removing it; nothing was "
                         "started"});
}

}  // namespace holdfast::session
