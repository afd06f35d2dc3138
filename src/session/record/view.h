// SPDX-License-Identifier: Apache-2.0
//
// look_at: what is true of a session now, from its record and the kernel.
//
// A final record is its own truth (evidence `recorded`). Of any other the supervisor is judged
// (proc/identity/verdict.h), and what follows is the table of transition.h:
//
//   it lives                             the recorded state, `supervisor-live`
//   the machine was booted since         kLost, `other-boot`, whatever the disk kept of the record
//   it is dead, nothing was started      kFailed; the evidence is the proof of its death
//   it is dead, its cgroup is empty,     kLost, `cgroup-empty`
//     its command too, and nobody
//     carries the run id
//   it is dead, and the pid namespace    kLost, `namespace-gone`
//     of its command is gone
//   it is dead                           kOrphaned; the evidence is the proof of its death, and
//                                        `tree` says what is known of the tree
//   it cannot be judged                  the recorded state, `known` false, and the reason
//
// "Nothing was started" is said of kReserved, and of kStarting without a command: the identity of
// the command is in the record before its gate opens, and a gate whose supervisor died never does.
//
// A supervisor that may not be signalled (EPERM) lives like any other. One in another pid namespace
// or on another host cannot be judged. A record of kOrphaned names the supervisor that is gone; one
// that seems to live cannot be judged either (`orphaned-and-live`).
//
// Nothing is signalled and nothing is written here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "format/session/session_record.h"
#include "session/record/store.h"

namespace holdfast::session {

// What is known of the processes of a run whose supervisor is gone.
enum class Tree : std::uint8_t {
  kEmpty,     // proven
  kLives,     // somebody of it was seen alive
  kUnproven,  // nobody is seen; without a cgroup that proves nothing
};

struct SessionView {
  SessionRecord record;
  SessionState state = SessionState::kReserved;  // that is true now
  bool known = true;                             // false: it cannot be told from here
  Tree tree = Tree::kUnproven;                   // of kOrphaned and kLost
  std::string evidence;                          // a stable word
};

SessionView look_at(SessionRecord record);

// look: what is true of the session in a directory now: read(), look_at(), and both once more where
// the record may have been overtaken.
//
// A supervisor writes its last record and ends. Between our reading and our judging that makes an
// "orphan" of a session that ended well; a second reading, after its death was proven, shows its
// last word. One is enough: a dead supervisor writes nothing more, and an adopter is another one.

// nullopt: there is no record.
Result<std::optional<SessionView>> look(const SessionDir& dir);

// trace_of: what became of a run that somebody intended.
//
// Whoever must know later whether its run took place chooses the run's id, writes it down, and
// starts the run with it. After a crash the id is looked for in the session of that name:
//
//   kNone      no run with this id is on record
//   kUnder     it is under way; its supervisor lives
//   kOrphaned  its supervisor is gone, and something of it may still run
//   kUnknown   whether it is over cannot be told from here
//   kOver      it is over; `view.record` is its last word, and `view.state` may be kLost: it is
//              gone, and nobody saw how it ended
//
// "Not on record" is not yet "never started": a supervisor that was forked may be on its way to its
// first record. Only who holds the lock of the name and knows that every such supervisor will be
// refused from now on (run/session/guard.h) may conclude that.
//
// Nothing is signalled and nothing is written. Errors: of session/record/store.h; a record that cannot be
// read is an Error and never kNone.
struct Trace {
  enum class Kind : std::uint8_t { kNone, kUnder, kOrphaned, kUnknown, kOver };
  Kind kind = Kind::kNone;
  std::optional<SessionView> view{};  // of all but kNone
  // Of kNone: a damaged record of the session was put aside, which may have been this run's. So
  // "never started" must not be concluded, whoever is gone.
  bool record_lost = false;
};

// The newest run of the session, and those that are kept of the earlier ones, are looked at.
Result<Trace> trace_of(const SessionStore& sessions, std::string_view name, const Id128& run);
Result<Trace> trace_in(const SessionDir& dir, const Id128& run);

// kNotFound.
Error no_such_session(const std::string& name);

// "running", or "running?" where it cannot be told.
std::string state_word(const SessionView& view);
// That a part of the output could not be kept (a full disk); empty if all of it was.
std::string lost_log_text(const SessionRecord& record);

}  // namespace holdfast::session
