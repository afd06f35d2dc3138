// SPDX-License-Identifier: Apache-2.0
//
// Others at the sidecar: programs that only flock it, and tools that write their own record into
// it. Their record is read, judged and never changed.
//
// A record with a bare process number is judged by what can be known: nobody has the number, or the
// process that has it started after the file was last written: dead. Another host, a number that
// counts in another pid namespace, or a record without a usable number: unknown. Everything else is
// taken for live.
//
// Limits: a bare number says nothing about its host or pid namespace; it is taken for one of here.
// "Started after" compares wall times: if the clock was set forward by more than 2 s since the file
// was written, and the process had just started then, a live one is taken for dead. Errors: of
// reading the file; `emfile`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "lock/grant/backend.h"
#include "lock/ledger/ledger.h"
#include "os/file/file.h"
#include "os/sys/handle.h"

namespace holdfast::lock {

struct ForeignClaim {
  enum class Kind : std::uint8_t { kNone, kDead, kLive, kUnknown };
  Kind kind = Kind::kNone;
  HolderView holder{};
  os::Handle pidfd{};  // of a live one
};

Result<ForeignClaim> judge_foreign_claim(const os::File& sidecar, const Clock& clock);

// Who holds the flock of the sidecar: the process that the kernel names, which is who took it;
// where that one has ended, the oldest that has inherited its descriptor; or "another pid
// namespace". Limits: an heir of another user is not seen, and then the dead one is named; a number
// that has gone to a stranger names the stranger.
HolderView foreign_holder(const os::File& sidecar);

// How long the same process has been seen to hold the sidecar without a record, by this waiter and
// by earlier ones; the observation is kept in the ledger. It begins anew with another process (the
// identity counts, not the number), another boot, and each grant of the lock: then the holder had
// let go in between. Zero where nobody can be named. Between two waiters nobody looks: one that
// lets go and comes back there, with no grant in between, is not told apart.
Result<std::optional<Duration>> foreign_seen_for(Ledger& ledger, const os::File& sidecar,
                                                 const Clock& clock);

}  // namespace holdfast::lock
