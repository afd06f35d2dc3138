// SPDX-License-Identifier: Apache-2.0
//
// Retiring: the ledger of a named lock that nobody uses any more is removed, so that a home is as
// large as what is alive and recent, and not as everything that ever had a name (rule L12).
//
// Guarantees: only a free lock is retired, and no two holders come of it, whoever acquires at the
// same moment: grants are given under GUARD to who has read the record there, and a record that
// says `retired` is never granted. Fences do not go back: the mark of the home is at least that of
// the ledger before it goes, and a ledger that is made anew begins above the mark.
//
// Death: before the record is written, nothing happened but that a mark is higher. After it, the
// name leads to a retired ledger; the next one who acquires removes it (attempt.cc).
// docs/design/008-locks.md has the interleavings.
//
// A lock whose holder died without releasing it is not free: it is taken as anybody would take it,
// which puts the recovery on record, and given back; once it was free for so long, it goes.
//
// Limits: a lease that no process holds stays until it is taken. How long a lock was idle is told
// by the wall clock: if that was set forward, a ledger goes too early, which costs a little time
// and nothing else. Ledgers beside files are not touched. Windows: a lock whose life somebody
// inherited is kept.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "lock/grant/local_lock.h"
#include "lock/ledger/fence_home.h"
#include "lock/ledger/place.h"

namespace holdfast::lock {

// True: it was retired. False: it is not there, not free, not idle for so long, or in use.
Result<bool> retire_if_idle(const Place& place, const FenceHome& fences, Duration idle,
                            const Clock& clock);

struct Retired {
  std::uint64_t ledgers = 0;
  std::vector<std::string> failed{};  // sentences; each stopped nothing
};

// All named locks of a home. `go_on` is asked between two of them.
Result<Retired> retire_idle_locks(LocalBackend& backend, Duration idle, const Clock& clock,
                                  const std::function<bool()>& go_on);

}  // namespace holdfast::lock
