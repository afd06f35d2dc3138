// SPDX-License-Identifier: Apache-2.0
//
// Shim: the parent of the commands and the reaper of their tree. Runs in a process that was forked
// for it and has no other children; see run.h for what it promises.
//
// Sequence: in the fresh fork, all signals blocked: Shim(…).run(); send the report; exit.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "os/signal/signals.h"
#include "os/watch/boot_timer.h"
#include "proc/tree/tree.h"
#include "supervise/commands.h"
#include "supervise/phase.h"
#include "supervise/report.h"
#include "supervise/supervisor_hooks.h"
#include "supervise/tree_group.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

// The shim's ends of the pipes to its front end; empty where there is none.
struct ShimEnds {
  os::Handle output;  // written by the last command, where the request says kHandle
  // Its other end, a copy that is never read: it hangs up when nobody can print any more. As long
  // as it is open a writer does not notice that the front end's copy is gone, so it closes when
  // `wanted` hangs up.
  os::Handle output_watch;
  os::Handle wanted;  // hangs up when nobody wants the tree any more, a dead front end included
  // Where an caller_hooks must know the first command before it runs: its number goes out by `born`;
  // then an order comes in (kOrderGo). Later ones: kOrderEnd. A hang-up before kOrderGo means that
  // nothing is to run, and after it that the front end is gone: the tree goes on.
  os::Handle born;
  os::Handle orders;
};

// For a process that is a supervisor, with no tree that it still needs:
// waits for children that are about to go by themselves. True: none is left.
bool reap_all(const Clock& clock);
// The last resort where a run was left by an exception (no memory): KILL until nothing is left.
// True: proven.
bool end_all(const Clock& clock) noexcept;

inline constexpr char kOrderGo = 'g';
inline constexpr char kOrderEnd = 'e';

class Shim {
 public:
  // `hooks` may be null.
  Shim(const Clock& clock, const TreeRequest& request, const os::SignalState& signals,
       ShimEnds ends, SupervisorHooks* hooks = nullptr)
      : clock_(clock),
        request_(request),
        signals_(signals),
        ends_(std::move(ends)),
        hooks_(hooks),
        grace_(request.grace),
        kill_signal_(request.kill_signal) {}

  // Never fails: what goes wrong is in the report.
  TreeReport run();

 private:
  using Known = std::set<std::pair<os::Pid, std::uint64_t>>;  // pid and start: one process

  Result<> start();
  Result<> spawn();
  Result<> wait_for_go();
  void loop();
  void wait_for_events();
  void take_signals();
  void take_starts();
  void take_hang_up();
  void take_orders();
  void take_hooks();
  void end(EndedBy by);
  void reap();
  bool waits_for_output();
  void step(Event event);
  void act(Action action);
  void fault(Error error);

  Result<> set_due(Duration from_now);
  [[nodiscard]] Duration grace_before_deadline() const;
  Result<> set_due_in_budget(Duration wanted);
  void terminate();
  bool terminate_namespace(const std::vector<int>& signals);
  Result<proc::TreePass> terminate_pass(
      const std::vector<int>& signals,
      const std::function<bool(const proc::ProcessFacts&)>& wanted);
  void terminate_outside();
  void terminate_newly_adopted();
  void terminate_others(const std::vector<os::Pid>& before, const proc::TreePass& pass,
                        const std::vector<int>& signals);
  void kill_once();
  bool kill_group();
  TreeGroup::Left look_at_group();
  void signal_unseen_commands(const proc::TreePass& pass, const std::vector<int>& signals);
  void name_survivors();

  const Clock& clock_;
  const TreeRequest& request_;
  os::SignalState signals_;
  ShimEnds ends_;
  SupervisorHooks* hooks_;
  Duration grace_;  // these two of the request, or of who asked for the end
  int kill_signal_;

  std::optional<os::SignalInbox> inbox_;
  std::optional<os::BootTimer> timer_;
  Commands commands_;
  TreeGroup group_;

  Phase phase_ = Phase::kRunning;
  std::optional<BootTime> due_;
  EndedBy due_is_ = EndedBy::kDeadline;  // or kBudget: whose time it is
  std::optional<MonoTime> let_go_by_;    // the commands have ended, and somebody holds the output
  proc::Reach reach_ = proc::Reach::kPidfd;
  Known terminated_;
  Known killed_;
  std::set<os::Pid> killed_in_group_;
  std::optional<MonoTime> next_pass_;  // of KILL, while the group has somebody in it
  std::uint64_t newest_at_terminate_ = 0;
  std::optional<MonoTime> outside_due_;  // TERM for those who left the group
  std::chrono::milliseconds pause_{1};   // between two rounds of KILL, or two looks
  bool told_running_ = false;
  TreeReport report_;
};

}  // namespace holdfast::supervise
