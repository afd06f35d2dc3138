// SPDX-License-Identifier: Apache-2.0
//
// OuterHolds: the locks that the caller of a run in the foreground holds (`lock L -- run …`), as
// long as the run goes on.
//
// The caller holds them for the front end of the run. But the front end may be killed, and the run
// goes on, under a lock that another would get. So while the run goes on, the record of each of
// them names its command as the work, and who gives such a lock back leaves it to that process
// instead (Lock::release). The same where the supervisor is killed: the lock is free when the
// command has ended, and not before (rule L3).
//
// Death: after bind() the lock stays with the command; the next contender finds it dead, and
// recovers the lock.
//
// Limits: exclusive locks of `lock` and `run`. A keeper's (`acquire`) is its owner's. A lease is
// renewed by its holder alone: without that it runs out. Of several runs at once under one lock the
// last one is named.
#pragma once

#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/lock/lock_chain.h"
#include "format/session/process_identity.h"
#include "lock/ledger/place.h"

namespace holdfast::run {

class OuterHolds {
 public:
  // One that is not held any more is left alone: what is done under it is fenced off. Errors: of
  // lock/grant/by_token.h; what was bound before stays so until unbind().
  Result<> bind(const LockChain& chain, const ProcessIdentity& work, const Clock& clock);
  // Nothing of the run is left: they are the caller's again.
  void unbind(const Clock& clock);

 private:
  struct Bound {
    lock::Place place;
    Id128 token;
    ProcessIdentity before;
  };
  std::vector<Bound> bound_;
  ProcessIdentity work_{};
};

}  // namespace holdfast::run
