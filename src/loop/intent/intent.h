// SPDX-License-Identifier: Apache-2.0
//
// Intents: do a thing once, whoever is killed when. The one protocol behind `once`, `attempt` and
// `notify` (StepIntent), the iterations of `run` (SeriesIntent) and all that a loop runs
// for an item (ItemIntent). Each thing is a run of a session, under an id that was chosen before;
// whoever wants it keeps an intent on record: this id, and whether the run has begun.
//
//   1  the intent, durable: written by the driver, or in step 2 by the supervisor itself
//   2  admit()     in the supervisor, under the lock of the session's name: is it still wanted?
//                  `begun` goes on record, in 3 where the supervisor wrote the intent itself
//   3  the session's record, durable; reserved()
//   4  the command, to its end; the session's final record, durable
//   5  the outcome is counted and the intent taken away, in one write: in ended(), or by the driver
//
// Invariant: no command is let go without its intent on record, and an intent leaves the record
// only in the write that counts what its run came to, or after the proof that it never began. So
// every run is counted exactly once. After a crash the session of the run is asked
// (session/record/view.h), and fate_of() is what follows:
//
//   its trace        begun   fate                            then
//   over             -       kOver                           its last record is the outcome
//   none             yes     kGone                           the outcome is lost: a `verify` is
//                                                            asked; without one it stays unknown
//                    no,     kGone                           a damaged record of the session was put
//                                                            aside: it may have been this run's
//   none             no      kNever                          nothing ran: it may begin anew
//   under way        -       kLive                           wait for it
//   orphaned         -       kOrphanLives, kOrphanUnproven   adopt it, or stop it
//   cannot be told   -       kUnknown                        nothing is started
//
// The hostile interleavings:
//
//   Intended, forked, killed. The next driver finds an intent without a trace. The supervisor may
//   still be on its way to step 3, and would let the command go after somebody has concluded that
//   nothing ran. So "none" counts only with a proof that nobody is on the way. A driver holds a
//   lock: step 2 fails unless that lock still has the token under which the supervisor was forked,
//   and the next driver, which has another token, takes the lock of the name once before it says
//   kNever. Whoever was inside is out by then and on record; whoever comes later is refused. Where
//   the supervisor writes the intent itself its identity is in it: it is judged first, and the
//   session read then, so of a dead one there is all that there will ever be.
//   Begun, and the record is gone: somebody removed the session. `begun` makes it kGone, not kNever.
//   It is read again once nobody is on the way: a supervisor may have written it after the caller
//   had read the intent.
//   Two decide at once, both see "not done" and both start. The name's lock lets in one; step 2 of
//   the other decides anew on a fresh record.
//   The final record is written, and whoever reads it is killed: counting it and taking away the
//   intent is one write.
//   The driver's lock outlives it in the supervisor's copy of the descriptor, so that no driver
//   could follow before the longest run has ended. Step 2 first lets go of all that is the driver's.
//   On Windows the supervisor of a detached run is no copy but another start of the program: it
//   makes the guard again from its note (intent_note.h), and holds nothing of the driver's.
//
//   The disk is full: room for the session's record is taken before step 2, so that nothing is begun
//   without it; a supervisor that cannot write the record all the same takes `begun` back.
//
// Limit: a supervisor that dies between `begun` and the session's record leaves kGone, although
// nothing ran. Errors: those of session/record/view.h: what cannot be read is never "none".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "format/json/due_time.h"
#include "lock/grant/local_lock.h"
#include "loop/intent/services.h"
#include "run/session/guard.h"
#include "run/session/order.h"
#include "run/session/start.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::loop {

struct Intent {
  Id128 run{};
  std::string session{};
  bool begun = false;
};

// The record that keeps an intent. All but has_begun() happens in the supervisor of the run.
class IntentStore {
 public:
  virtual ~IntentStore() = default;
  // In a copy of the driver by fork: closes what is the driver's.
  virtual Result<> leave_driver() { return {}; }
  // The lock of the driver has another token by now.
  [[nodiscard]] virtual Error driver_lost() const;
  // On return the intent of `run` is on record, and whoever reads it knows that the run may take
  // place. An Error: it is not wanted any more, or cannot be written; nothing is started.
  virtual Result<> admit(const Id128& run) = 0;
  // After admit(): the session's record cannot be written, and the supervisor gives up. Takes
  // `begun` back; if that cannot be written either, has_begun() stays true.
  virtual void withdraw(const Id128& /*run*/) {}
  // The session's record is there; `record` is final in ended().
  virtual void reserved(const SessionRecord& /*record*/) {}
  virtual void ended(const SessionRecord& /*record*/) {}
  // As the record is now. False where it has no such intent.
  virtual Result<bool> has_begun(const Id128& run) = 0;
  // What the same store is made of again in another process (intent_note.h), on one line. Empty: it
  // is a part of the driver's memory, and cannot be told.
  [[nodiscard]] virtual std::string note() const { return {}; }
};

// The lock of whoever wrote the intent, as it was held when the supervisor was started.
struct DriverLock {
  const Clock& clock;
  lock::LocalBackend& locks;  // the supervisor's own
  std::string label{};
  Id128 token{};
};

// Steps 2, 3 and 5 in the supervisor, for any store.
class IntentGuard final : public run::RunGuard {
 public:
  // Without `driver` the store writes the intent itself, in admit().
  IntentGuard(IntentStore& store, const Id128& run, std::optional<DriverLock> driver = {})
      : store_(store), run_(run), driver_(std::move(driver)) {}
  IntentGuard(std::shared_ptr<IntentStore> own, const Id128& run, std::optional<DriverLock> driver)
      : own_(std::move(own)), store_(*own_), run_(run), driver_(std::move(driver)) {}

  Result<> admit(const std::optional<SessionRecord>& last) override;
  void withdrawn() override { store_.withdraw(run_); }
  void reserved(const SessionRecord& record) override;
  void finished(const SessionRecord& record) override;
  [[nodiscard]] std::string note() const override;

 private:
  std::shared_ptr<IntentStore> own_;
  IntentStore& store_;
  Id128 run_;
  std::optional<DriverLock> driver_;
};

// Starts the run of an intent that is on record. `held` is the driver's lock. Errors: run/session/start.h.
Result<run::Started> start_intended(const LoopServices& services, lock::Lock& held,
                                    IntentStore& store, const run::RunOrder& order);

enum class IntentFate : std::uint8_t {
  kNone,  // there is no intent
  kOver,
  kGone,
  kNever,
  kLive,
  kOrphanLives,
  kOrphanUnproven,
  kUnknown,
  kNameTaken,  // no trace, and somebody else has the name: ask again
};
// Nobody may begin it again, or forget it, while it is one of these.
inline bool is_claimed(IntentFate fate) { return fate >= IntentFate::kLive; }

// Who may be between the intent and the session's record.
enum class OnTheWay : std::uint8_t { kNobody, kItsSupervisor, kSomebody, kCannotTell };

// Pure.
IntentFate fate_of(const session::Trace& trace, bool begun, OnTheWay on_the_way);

struct IntentFinding {
  IntentFate fate = IntentFate::kUnknown;
  std::optional<session::SessionView> view{};  // of what left a trace
};
// For the driver, which holds its lock; the name's lock is waited for, but not for long.
Result<IntentFinding> find_out(const LoopServices& services, const Intent& intent,
                               IntentStore& store);

// A new supervisor for a run whose own one is gone.
Result<> adopt_intended(const LoopServices& services, IntentStore& store,
                        const std::string& session);

// Somebody told it to end before it had ended: whatever it exits with, it may not have done its
// work, unless a verification saw the work done.
bool was_asked_to_end(const SessionRecord& record);

// False: a run that never came to its command, because holdfast failed or died before. A command
// that could not be started because of itself (not found, not executable) was tried.
bool was_tried(const SessionRecord& record);
bool was_tried(const session::SessionView& view);  // by the state that is true now

// Now, on both clocks.
Result<TimeMark> moment_now(const Clock& clock);

}  // namespace holdfast::loop
