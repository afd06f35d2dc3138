// SPDX-License-Identifier: Apache-2.0
//
// stop_sessions: ends sessions by their names, all at once.
//
// A session whose supervisor lives: the supervisor is asked (session/record/control.h) and does the work;
// its final record is the outcome. One that is stopped (SIGSTOP) is woken, if the ledger of the
// name and the record agree that it is the supervisor.
//
// An orphan (stop_orphan.h): ended by this process. With a control group the end is proven; without
// one it is unproven, whatever was seen to end (rule P5), and the session stays `orphaned`.
//
// A record that cannot be read is an error, unless --assume-gone closes it (close_damaged.h).
//
// Guarantees: kKilled is said only over a final record, or one that was put aside, or where the next
// run of the name has begun: its supervisor has proven under the lock of the name that the one that
// was asked is over. Nobody is signalled on the word of a record
// alone (orphan_proof.h). All are asked before any is waited for. What changes is seen at once;
// beside that each is looked at every second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "format/session/session_record.h"
#include "proc/kill/kill.h"
#include "run/orphan/orphan.h"
#include "session/record/store.h"

namespace holdfast::run {

struct StopOrder {
  std::optional<Duration> grace{};  // each session's own where it is not given
  std::optional<int> signal{};      // likewise
  // When all of it must be over; else as long as it may take. The grace of an orphan ends before it,
  // as nobody else would follow with KILL.
  std::optional<MonoTime> until{};
  bool assume_gone = false;  // close an unproven orphan; nobody is signalled
  std::string reason{};      // of that
  std::string by = "stop";   // who asks, for the record
};

struct StopReport {
  std::string name{};
  // kKilled, kGone, kMismatch, kRefused, kNotPermitted, kSurvivors or kUnproven.
  proc::KillOutcome outcome = proc::KillOutcome::kUnproven;
  std::string evidence{};               // a stable word
  std::string detail{};                 // for people
  std::optional<SessionState> state{};  // afterwards
  std::uint32_t ended = 0;              // processes that were seen to end, of an unproven tree
  std::vector<proc::Survivor> survivors{};
  std::optional<Error> error{};  // instead of an outcome: busy, unreadable, no journal
};

// In the order of `names`.
std::vector<StopReport> stop_sessions(const OrphanServices& services,
                                      const session::SessionStore& sessions,
                                      const std::vector<std::string>& names,
                                      const StopOrder& order);

}  // namespace holdfast::run
