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
#include <string>

#include "format/session/session_record.h"

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

}  // namespace holdfast::session
