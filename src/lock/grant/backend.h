// SPDX-License-Identifier: Apache-2.0
//
// Lock: one seat at a lock, and LockBackend: who makes them. The local backend (local_lock.h) is
// the kernel of this machine; a fleet has another.
//
//   auto lock = HF_TRY(backend.open(id));
//   AcquireOutcome outcome = HF_TRY(lock->acquire({.wait = 10s}));
//   if (!outcome.granted()) …            // busy: who holds it is in outcome.holder
//   …                                    // the work; leases: renew in time
//   HF_TRY(lock->release());
//
// Guarantees (docs/design/008-locks.md has the argument): two seats never hold one lock exclusively
// at once, unless a lease was taken or a lock broken, and then the older one is fenced off: its
// token is refused by renew, check, release and every fenced commit. Nobody releases what another
// holds. A dead holder blocks nobody. The fence of a grant is higher than that of every grant
// before it.
//
// Limits: a process of the same user can delete the ledger; that defeats the exclusion, not the
// fence. A seat is not for concurrent use; each thread has its own. After a fork the child's copy
// holds nothing: its release does nothing.
//
// Errors: kRefused for what lies at the path (`is-link`, `foreign-owner`, `hard-linked`,
// `writable-by-others`, …); kOsRefused or kIo with the system's word (`eacces`, `erofs`, `enospc`,
// `enolck`, `emfile`); kOsRefused `unsupported-fs`; kBusy `guard-timeout`; kCorrupt
// `no-valid-record`; kCannotTell: a newer record, or a holder whose life cannot be judged. "Held by
// another" is an answer and no error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/lock/lock_chain.h"
#include "format/lock/lock_ledger.h"
#include "os/lock/blocked_wait.h"

namespace holdfast::lock {

// What a contender does once a lease has run out; it gets at most what the holder yields.
enum class OnExpired : std::uint8_t { kWait, kTake, kKill, kReplace };

// Waits and leases are at most this long: what is longer would not fit behind every clock's now.
inline constexpr Duration kLongestTime = std::chrono::hours(24 * 3650);

struct HolderView;
// Told once, when the wait begins, of whom is waited for.
using OnWait = std::function<void(const HolderView&)>;

struct AcquireRequest {
  LockMode mode = LockMode::kExclusive;
  LockBinding binding = LockBinding::kLib;
  std::optional<Duration> wait = Duration::zero();  // nullopt: for ever
  std::optional<Duration> ttl{};                    // a lease
  LockYields yields = LockYields::kWait;            // for a lease usually kTake
  OnExpired on_expired = OnExpired::kWait;
  std::optional<Duration> presume_dead{};  // of a foreign holder of a sidecar
  // Where the life of the recorded holder cannot be judged, and no process holds the lock in the
  // kernel, it is taken, on record first; as flock(1) does. HOLDFAST_TRUST=kernel asks for it, too.
  bool trust_kernel = false;
  std::optional<ProcessIdentity> work{};  // whose life it is bound to; else this process
  std::string reason{};
  std::string command{};
  LockChain chain{};                 // what the caller already runs under
  const os::Flag* cancel = nullptr;  // ends the wait from another thread
  const OnWait* on_wait = nullptr;   // may be null
};

// Who is in the way, as far as it is known.
struct HolderView {
  LockState state = LockState::kFree;
  std::optional<std::int32_t> pid{};  // in this pid namespace
  std::string host{};
  std::optional<WallTime> since{};
  std::string reason{};
  std::string command{};
  bool foreign = false;    // holds the sidecar without a record
  bool elsewhere = false;  // or, of a path, with one in another home
  std::string evidence{};  // why it is taken for the holder
};

struct AcquireOutcome {
  enum class Kind : std::uint8_t {
    kGranted,
    kReentered,  // the chain already holds it: nothing was changed, release does nothing
    kBusy,       // not in time
    kDeadlock,   // waiting would never end: a cycle
    kCancelled,
    kSurvivors,  // --on-expired kill: something is left alive
  };
  Kind kind = Kind::kBusy;
  std::string busy_reason{};  // of kBusy: "timeout", "readers-full"
  HolderView holder{};        // of the others
  std::string detail{};       // for people
  Duration waited{};
  std::optional<LockCause> cause{};    // of a grant
  std::string evidence{};              // of a grant that was no fresh one
  std::optional<HolderView> before{};  // whom it was taken from

  [[nodiscard]] bool granted() const { return kind == Kind::kGranted || kind == Kind::kReentered; }
};

// What a holder has. `deadline` on the boot clock.
struct Grant {
  Id128 token;
  std::uint64_t fence = 0;
  LockMode mode = LockMode::kExclusive;
  std::optional<BootTime> deadline{};
  std::optional<Duration> ttl{};
};

// kLeft, of release() only: the record names other work by now, bound with the token (by_token.h),
// that may live. The lock stays with it, and is free when it has ended.
enum class Owned : std::uint8_t { kYes, kLost, kLeft };

class Lock {
 public:
  virtual ~Lock() = default;

  // A seat holds at most once: acquire on a held one is kUsage.
  virtual Result<AcquireOutcome> acquire(const AcquireRequest& request) = 0;
  // The work that the lock is for is another process (a child behind its gate).
  virtual Result<Owned> set_work(const ProcessIdentity& work) = 0;
  // kLost: the record is another's by now, or the ledger is gone. A lease that ran out and was
  // taken by nobody is renewed.
  enum class Beat : std::uint8_t { kAlive, kProgress };
  virtual Result<Owned> renew(Beat beat) = 0;
  virtual Result<Owned> check() = 0;
  // kLost: it was no longer ours, and nothing was changed. kLeft: see there. After an error the
  // record may still name us; the seat holds nothing in either case.
  virtual Result<Owned> release() = 0;
  // Gives up the seat and leaves the lock as it is: somebody else (a keeper, a child with a copy of
  // the life descriptor) carries it on.
  virtual void leave() = 0;

  [[nodiscard]] virtual const std::optional<Grant>& grant() const = 0;
  // As entries of HOLDFAST_CHAIN name it.
  [[nodiscard]] virtual const std::string& ledger_path() const = 0;
  // Its entry for HOLDFAST_CHAIN; only while it is held.
  [[nodiscard]] virtual ChainEntry chain_entry() const = 0;
  // The descriptor whose life is the lock's, to be handed to a child; -1 where there is none.
  [[nodiscard]] virtual os::NativeHandle life() const = 0;
  // A descriptor that no child may keep, not even a fork that executes nothing; -1 where there is
  // none. Whoever has a copy while this process dies in the middle of a change blocks the lock.
  [[nodiscard]] virtual os::NativeHandle not_for_children() const = 0;
  [[nodiscard]] virtual const std::string& label() const = 0;  // as in HOLDFAST_LOCK
};

// NAME, the file whose lock is meant (its sidecar), or the path of a file that is locked itself.
struct LockId {
  enum class Kind : std::uint8_t { kNamed, kFile, kPath };
  Kind kind = Kind::kNamed;
  std::string text;
};

// What a user calls NAME: a path where it is_lock_path (format/text/name_escape.h).
LockId lock_called(std::string name);

// One of `count` slots of a name (slots.h).
struct SlotsRequest {
  std::string name{};
  std::uint32_t count = 1;
  Duration stagger{};  // at least so long between two grants, of any slot; 0: at once
};

struct AcquiredSlot {
  std::unique_ptr<Lock> lock{};  // null: none was got
  AcquireOutcome outcome{};
};

class LockBackend {
 public:
  virtual ~LockBackend() = default;
  virtual Result<std::unique_ptr<Lock>> open(const LockId& id) = 0;
  virtual Result<AcquiredSlot> acquire_slot(const SlotsRequest& slots,
                                            const AcquireRequest& /*request*/) {
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "take a slot of",
                 .subject = "'" + slots.name + "'",
                 .cause = "unsupported",
                 .detail = "these locks have no slots"});
  }
  // False: it has no ledger, so nobody holds it: whoever takes it makes the ledger first. True
  // where that is not known. Nothing is made.
  virtual Result<bool> has_ledger(const LockId& /*id*/) { return true; }
};

}  // namespace holdfast::lock
