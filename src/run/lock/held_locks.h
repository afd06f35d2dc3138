// SPDX-License-Identifier: Apache-2.0
//
// HeldLocks: the locks that a run is under (`--lock NAME`, and slots as "NAME/?ofN"), taken in the
// order in which they were named, given back in the other one.
//
// A detached run may outlive whoever started it, and the locks of that one (rule L9a): it takes its
// own locks as if it ran under none, and its command is told of none but these. So a lock that the
// caller holds is busy for it, until the caller has let it go.
//
// Errors of take(): kBusy `lock-busy`, naming lock and holder; kBusy `deadlock`; of lock/grant/backend.h.
// What was taken before goes back with this object.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/lock/lock_chain.h"
#include "lock/grant/backend.h"
#include "lock/grant/local_lock.h"
#include "run/session/order.h"

namespace holdfast::run {

// The variables that tell a command of outer locks, which a run on this ground does not pass on. To
// be removed before what environment() says is added.
std::vector<std::string> outer_lock_variables(Ground ground);

class HeldLocks {
 public:
  // `order` and the backend must outlive it.
  Result<> take(lock::LockBackend& backend, const RunOrder& order, const LockChain& outer,
                const os::Flag& cancel);

  // For the new supervisor of an orphan: the locks that the dead one held for `work`, with their
  // tokens. One that is not held for it any more is lost: it is taken anew, so that nobody else
  // gets it from here on, and lost() names it; kBusy `lock-lost` if another has it now. One that
  // somebody above still holds is left to him. After an Error call leave().
  Result<> take_up(lock::LocalBackend& backend, const Clock& clock, EventSink& events,
                   const std::vector<std::string>& names, const ProcessIdentity& work);

  // What the command is told; the innermost lock last.
  [[nodiscard]] std::vector<std::string> environment() const;
  // For the command to inherit: as long as one of its tree has them, nobody else is given the
  // locks, though supervisor and command are gone.
  [[nodiscard]] std::vector<os::NativeHandle> life() const;
  // Whom they are held for. An Error: one of them is no longer ours.
  Result<> set_work(const ProcessIdentity& work);
  // The labels of those that are not ours any more, or of which nobody can tell.
  [[nodiscard]] std::vector<std::string> lost() const;
  // That one was lost is told by the lock itself, as an event.
  void release();
  // They stay with the work that they are held for.
  void leave();

 private:
  Result<> take_slot(lock::LockBackend& backend, const lock::SlotsRequest& slots,
                     lock::AcquireRequest request, const RunOrder& order);
  static Result<std::unique_ptr<lock::LocalLock>> slot_of(lock::LocalBackend& backend,
                                                          const Clock& clock, EventSink& events,
                                                          const lock::SlotsRequest& slots,
                                                          const ProcessIdentity& work);
  Result<> take_anew(std::unique_ptr<lock::LocalLock> lock, const ProcessIdentity& work,
                     EventSink& events);

  struct Held {
    std::unique_ptr<lock::Lock> lock;
    bool ours = true;  // false: somebody above us holds it, and it was entered again
  };
  [[nodiscard]] LockChain chain() const;

  std::vector<Held> held_;
  LockChain outer_;
  std::vector<std::string> lost_before_;  // it was taken up
};

}  // namespace holdfast::run
