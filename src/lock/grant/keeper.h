// SPDX-License-Identifier: Apache-2.0
//
// Keeper: the process that holds a lock for somebody who cannot hold a descriptor: for the shell
// that called `acquire`, which ends at once.
//
//   lock.acquire({.binding = LockBinding::kOwner});                     // waits here, in front
//   Keeper keeper = HF_TRY(Keeper::start(lock, std::move(owner), {}));  // the record names the owner
//   …                                                                   // hand out the token
//   HF_TRY(keeper.confirm(lock));                                       // the keeper has the lock
//
// The keeper is a fork of the caller: life belongs to the open file description, which both have.
// It ends when
//   - the owner has ended: the lock is released at once;
//   - the token is no longer the current one (released by token, broken, taken): nothing is left
//     to hold;
//   - the caller has ended before confirm(): nobody knows the token, so it is released.
// It has a session of its own, stands in `/`, has no descriptor but what it needs, and does not
// poll. It takes no notice of signals (rule L4a): a deadline, a service manager or the end of a
// surrounding run sends TERM to a whole tree, and the owner may be in the middle of what the lock
// protects. An owner that the same run ends takes its keeper with it; one outside the run would be
// left without, so `acquire` refuses that (cli/lock/lock_owner.h).
//
// Guarantee: after start() the record names owner and keeper. Without confirm(), by an error or by
// a death anywhere, the lock does not stay held: before start() the record names the caller as the
// work, after it the keeper watches the caller.
//
// Limits: a keeper that is killed (KILL) leaves the record, which names the owner: nobody is
// granted the lock until the owner has ended or the token releases it (rule L3). The flock of a
// file's sidecar goes with it: programs that know nothing but flock get in. One that is stopped
// does not notice the end of its owner. For a program with one thread.
//
// Errors: kOsRefused `no-pidfd` where the owner cannot be watched; `no-keeper` where the process
// could not be started or set up; kRefused `lost` where the lock was taken meanwhile. After an
// error the caller still holds the lock as before.
//
// Windows has no fork: the keeper is another start of this program (KeeperOptions::again), which
// inherits life, a handle of the owner and two pipes, and gets the rest, the token among it,
// through one of them: words can be read by others. It renews, checks and releases by the token.
// TERM is KILL there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "lock/grant/local_lock.h"
#include "os/spawn/child.h"
#include "os/sys/handle.h"
#include "proc/identity/identity.h"

namespace holdfast::lock {

struct KeeperOptions {
  std::optional<Duration> renew_every{};  // for a lease that the keeper renews
  std::function<void()> begin{};          // in the keeper, first: drop what is only the caller's
  std::function<void()> end{};            // in the keeper, last
  // Windows: the words behind the name of this program that lead another start of it to
  // keep_if_asked(). `begin` and `end` are not used there.
  std::vector<std::string> again{};
};

// To be called by that other start before it does anything of its own. False: this process is no
// keeper. True: it was one, and there is nothing left to hold. Linux: always false.
Result<bool> keep_if_asked(const Clock& clock, EventSink* events);

class Keeper {
 public:
  static Result<Keeper> start(LocalLock& lock, proc::Pinned owner, const KeeperOptions& options);
  Keeper(Keeper&&) noexcept = default;
  Keeper& operator=(Keeper&&) = delete;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  // Not confirmed: the keeper is ended, without a change of the lock, which is the caller's again.
  ~Keeper();

  // From here on the lock is the keeper's; the seat is left.
  Result<> confirm(LocalLock& lock);

  [[nodiscard]] os::Pid pid() const { return child_.pid; }

 private:
  void end() const;

  Keeper(os::OwnChild child, os::Handle gate) : child_(std::move(child)), gate_(std::move(gate)) {}

  os::OwnChild child_;
  os::Handle gate_;  // empty: confirmed, or moved from
};

}  // namespace holdfast::lock
