// SPDX-License-Identifier: Apache-2.0
//
// Force against a holder. Nothing here decides: the caller has decided, and the journal has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/lock/lock_ledger.h"
#include "lock/ledger/ledger.h"
#include "lock/ledger/seat.h"

namespace holdfast::lock {

// The process that holds life for an owner-bound lock is killed, through a pidfd that was opened
// before its identity was compared; a keeper has nothing to tidy up. The record stays as it is.
// True: it is gone. False: it could not be proven to be that process, or does not end within
// `patience`.
Result<bool> end_keeper(const LockRecord& record, Duration patience);

struct KillOutcome {
  std::uint32_t killed = 0;
  std::vector<std::string> survivors;  // "1234 (name)", or why one cannot be reached
};

// Ends the work of an exec-bound holder, everything below it and its wrapper: TERM, `grace`, KILL,
// through pidfds. That life is free afterwards is for the caller to see.
Result<KillOutcome> kill_holder(const LockRecord& record, Duration grace);

// Rule L14: a new, empty sidecar, flocked exclusively by this seat, gets the name, under the flock
// of the directory and then GUARD, which is handed to the caller: the record is written under it.
// nullopt: the record is no longer the one with `seen_seq`, or the names lead elsewhere; nothing
// was replaced. Whoever holds or waits for the old inode is not told: holdfast's own are fenced
// off, others are not. What another tool wrote into the old inode stays there. kBusy
// `directory-busy`; Windows: kRefused `held-open` where somebody has it open in a way that lets
// nobody replace it (os/dir/dir.h).
Result<std::optional<Guard>> replace_sidecar(Seat& seat, std::uint64_t seen_seq);

}  // namespace holdfast::lock
