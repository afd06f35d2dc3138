// SPDX-License-Identifier: Apache-2.0
//
// Conclusion: what follows the end of a run's tree, whoever was its supervisor when it ended: the
// verification of its claim, and `on-end`. A run that was started here and one that was adopted end
// by the same steps (rule P5a).
//
//   1. verify       of a run that exited with 0 unasked, where there is something to verify
//   2. the outcome  (final_state.h) into the record, durably
//   3. on-failure   or on-success, by the table of outcome.h
//   4. on-end       over a final record, and still under the name: what it cleans up must not be
//                   the next run's
//
// 3 and 4 have five minutes each. Death in 1 leaves `verifying`, which is an orphan and then lost;
// behind 2 nothing but 3 and 4 is missing. That 3 succeeded is on record behind it: death in between
// tells the same streak once more, and never not at all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/event.h"
#include "format/session/session_record.h"
#include "os/signal/signals.h"
#include "run/session/log_file.h"
#include "run/session/order.h"
#include "session/record/control.h"
#include "session/record/store.h"
#include "supervise/report.h"

namespace holdfast::run {

// An event about the session; that it cannot be written stops nothing (rule P4).
void tell_of(EventSink& events, std::string_view type, const SessionRecord& record,
             EventClass at_least = EventClass::kTrace);
// `process.killed`: the tree of a run is ended before its time, for `record.reason`.
void tell_of_kill(EventSink& events, const SessionRecord& record, os::Pid command, int signal);

// `process.killed` for deaths that are not the end of the whole run before its time.
struct OtherKills {
  bool left_behind = false;         // processes that the command left behind when it ended
  std::uint32_t out_of_memory = 0;  // killed by the kernel at the memory limit
};
void tell_of_other_kills(EventSink& events, const SessionRecord& record, os::Pid command,
                         const OtherKills& kills);

// What a command that belongs to the session is told of it.
std::vector<std::string> environment_of(const SessionRecord& record,
                                        const session::SessionDir& dir);

struct Conclusion {
  const Clock& clock;
  EventSink& events;
  SessionRecord& record;
  const session::SessionDir* dir;  // null: nothing of this run is recorded
  const os::SignalState& signals;
  Ground ground = Ground::kBack;
  LogFile* log = nullptr;
  std::vector<std::string> environment{};  // of the command

  // Sets report.verified where there was something to verify. `control`, through which it may be
  // asked to stop, may be null.
  void verify(supervise::TreeReport& report, session::Control* control);
  // A lock that was taken away while the run went on: another may have worked at the same time, so
  // nobody can vouch for what it did (rule L9a). `lost`: the labels of such locks.
  void doubt(supervise::TreeReport& report, const std::vector<std::string>& lost);
  // The record is final, or there is none.
  void tell();  // --on-failure, --on-success
  void run_on_end();

 private:
  bool run_at_end(std::string_view option, const std::string& line);
};

}  // namespace holdfast::run
