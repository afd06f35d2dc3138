// SPDX-License-Identifier: Apache-2.0
//
// Shim: the parent of one command and the reaper of its tree. Runs in a process that was forked for
// it and has no other children; see run.h for what it promises.
//
// Sequence: in the fresh fork, all signals blocked: Shim(…).run(); send the report; exit.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "os/boot_timer.h"
#include "os/signals.h"
#include "proc/tree.h"
#include "supervise/phase.h"
#include "supervise/report.h"
#include "supervise/run.h"

namespace holdfast::supervise {

class Shim {
 public:
  Shim(const Clock& clock, const RunRequest& request, const os::SignalState& signals)
      : clock_(clock), request_(request), signals_(signals) {}

  // Never fails: what goes wrong is in the report.
  RunReport run();
  // The last resort where run() was left by an exception (no memory): KILL until nothing is left.
  // True: proven.
  bool end_in_need() noexcept;

 private:
  using Known = std::set<std::pair<os::Pid, std::uint64_t>>;  // pid and start: one process

  Result<> start();
  void loop();
  void wait_for_events();
  void take_signals();
  void take_start();
  void reap();
  void note_end(const os::ChildEnd& end);
  void step(Event event);
  void fault(Error error);

  Result<> set_due(Duration from_now);
  void terminate();
  void terminate_newly_adopted();
  void kill_once();
  void signal_unseen_command(const proc::TreePass& pass, const std::vector<int>& signals);
  void name_survivors();

  const Clock& clock_;
  const RunRequest& request_;
  os::SignalState signals_;

  std::optional<os::SignalInbox> inbox_;
  std::optional<os::BootTimer> timer_;
  std::optional<os::Spawned> spawned_;
  bool start_known_ = false;

  Phase phase_ = Phase::kRunning;
  std::optional<BootTime> due_;
  proc::Reach reach_ = proc::Reach::kPidfd;
  Known terminated_;
  Known killed_;
  std::uint64_t newest_at_terminate_ = 0;
  std::chrono::milliseconds pause_{1};  // between two rounds of KILL
  RunReport report_;
};

}  // namespace holdfast::supervise
