// SPDX-License-Identifier: Apache-2.0
//
// AdoptedRun: the rest of a run whose first supervisor died, in the process of the new one.
//
// The order, and what death at each step leaves:
//
//   1. the lock of the name, broken from the dead   the orphan, as it was
//   2. the proof that the record is true            the same
//   3. the command is pinned, its group opened,
//      its pipes reopened, a new control FIFO       the same
//   4. the record: adopted, running, ours; durable  an orphan of this supervisor
//   5. the end: deadline, idle limit, an order, or
//      the command's own; the tree proven empty     the same, then provably lost
//   6. the verification; the final record, durable  the same, then final (conclusion.h)
//
// Nothing is signalled before 4, so a failure up to there leaves the orphan alone.
//
// Every promise of the start holds on: the deadline, the idle limit, `verify`, `on-end`, and a
// `stop` that the first supervisor had heard. One that cannot be kept here is a reason not to
// adopt: a deadline that was set in another time namespace, an idle limit where nothing that the
// command prints can be seen, an owner of whom nobody can tell whether it lives. One that has ended
// meanwhile ends the run at once.
//
// How the command ended is asked of its pidfd (os/process/pidfd.h), which is open before it ends. Of
// one that had ended before nobody knows how, and the session is `lost`.
//
// Without a control group the end of the command, and of whoever carries the run id, proves nothing
// about others: the record goes back to `orphaned`, with the status of the command where it is
// known.
//
// The locks of --lock stay with the command while nobody watches. The adopter holds them again,
// with the same tokens, until the tree is gone; one that was broken meanwhile makes the outcome
// unverified.
//
// Limit: what the caller of a foreground run was shown is not shown any more; the log has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/signal/signals.h"
#include "os/watch/boot_timer.h"
#include "proc/tree/cgroup.h"
#include "run/lock/held_locks.h"
#include "run/orphan/adopted_streams.h"
#include "run/orphan/orphan.h"
#include "run/orphan/orphan_end.h"
#include "run/session/conclusion.h"
#include "run/session/owner.h"
#include "session/record/control.h"
#include "supervise/report.h"
#include "supervise/supervisor_hooks.h"

namespace holdfast::run {

// kNotFound `session-over`, kBusy `session-live`, kCannotTell `session-unknown`.
Result<> require_orphaned(const session::SessionView& view);

class AdoptedRun {
 public:
  // `news` gets a byte once the record says that it is adopted.
  AdoptedRun(const OrphanServices& services, const os::SignalState& signals, os::Handle news)
      : services_(services), signals_(signals), news_(std::move(news)) {}

  // The report's `fault` is why it was not adopted.
  supervise::TreeReport run(session::SessionDir dir);

 private:
  Result<> take_over(session::SessionDir dir);
  Result<> take_hold();
  Result<> check_promises();
  void watch_until_over();
  void wait();
  std::optional<supervise::EndOrder> next_order();
  std::optional<supervise::EndOrder> asked_order();
  void begin_end(const supervise::EndOrder& order);
  void step_end();
  void end_those_outside();
  [[nodiscard]] bool command_ended() const;
  [[nodiscard]] bool group_is_empty() const;
  void finish();
  void finish_unproven();
  [[nodiscard]] supervise::TreeReport facts() const;
  [[nodiscard]] Conclusion conclusion();
  void enter(session::Event event, os::Durability durability);
  [[nodiscard]] SessionRecord& record() { return orphan_->record(); }
  [[nodiscard]] const SessionRecord& record() const { return orphan_->record(); }

  const OrphanServices& services_;
  os::SignalState signals_;
  os::Handle news_;

  std::optional<Orphan> orphan_;
  HeldLocks locks_;
  os::Handle command_;  // its pidfd; empty where it had ended before
  std::optional<proc::CgroupTree> group_;
  std::optional<session::Control> control_;
  std::optional<Owner> owner_;
  bool owner_is_gone_ = false;
  AdoptedStreams streams_;
  std::optional<os::BootTimer> timer_;
  std::optional<os::SignalInbox> inbox_;

  BootTime last_output_{};
  std::optional<supervise::EndOrder> order_;  // the end has begun, for this
  std::optional<OrphanEnd> end_;              // of the group
  bool over_ = false;                         // nothing more to wait for
  bool proven_ = false;                       // and nobody is left
  std::vector<std::string> survivors_;        // after KILL
  std::optional<os::ChildEnd> status_;        // of the command, where the kernel tells
};

}  // namespace holdfast::run
