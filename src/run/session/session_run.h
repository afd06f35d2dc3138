// SPDX-License-Identifier: Apache-2.0
//
// SessionRun: one run, from the lock on its name to its final record, in the supervisor's process.
//
// The order, and what death at each step leaves (rule P3):
//
//   1. the lock of the name              nothing
//   2. the old record is copied aside    the old record, in both places
//   3. `reserved`, durable               a dead supervisor that started nothing: failed
//   4. the control, the locks, the log   the same
//   5. the command, behind its gate      it exits by itself, because the gate closes with us
//   6. `starting`, with its identity,    orphaned until its tree is proven empty: nobody can tell
//      durable                           whether the gate was opened
//   7. the gate opens; `running`         orphaned
//   8. the end; the tree proven empty    lost: the tree is gone, and nobody saw how it ended
//   9. the verification                  the same
//  10. the final record, durable         final
//  11. the locks go back; `on-failure`,  final
//      `on-success`, `on-end`
//
// A power cut leaves what was durable: from 3 on the session is `lost` after the next boot, because
// nobody can tell how far it came (rule P3a).
//
// The owner (--owner) is looked at before 1, and between 4 and 7: one that is gone by then means
// that the command never runs. From 7 on its end ends the tree.
//
// `stop` is heard from 4 on, also while a lock is waited for: before 7 it means that the command
// never runs (rule P7).
//
// The deadline and all that follows from it rest on the record of step 3, which names them (rule
// P4): from then on no failure to record anything stops anything.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/signal/signal_flag.h"
#include "os/signal/signals.h"
#include "os/watch/boot_timer.h"
#include "run/lock/held_locks.h"
#include "run/lock/outer_holds.h"
#include "run/session/conclusion.h"
#include "run/session/order.h"
#include "run/session/owner.h"
#include "run/session/streams.h"
#include "session/record/control.h"
#include "session/record/transition.h"
#include "session/workspace/workspace.h"
#include "supervise/report.h"
#include "supervise/supervisor_hooks.h"
#include "supervise/tree_request.h"

namespace holdfast::run {

class SessionRun final : public supervise::SupervisorHooks {
 public:
  // `news` as in supervise/front_end.h.
  SessionRun(const Services& services, const RunOrder& order, const os::SignalState& signals,
             os::Handle news, os::Pty* pty = nullptr)
      : services_(services), order_(order), signals_(signals), news_(std::move(news)), pty_(pty) {}

  supervise::TreeReport run();

  Result<> born(const os::OwnChild& command, const supervise::TreeFacts& facts) override;
  void started(WallTime at) override;
  void running() override;
  void add_handles(std::vector<const os::Handle*>& readable,
                   std::vector<const os::Handle*>& writable) const override;
  std::optional<supervise::EndOrder> round() override;
  void asked_to_end(const os::ArrivedSignal& signal) override;
  void ending(supervise::EndedBy by) override;

 private:
  Result<> prepare();
  Result<> begin(const os::SignalFlag& asked);
  Result<> reserve(const os::Flag& cancel);
  Result<> take_locks(const os::SignalFlag& asked);
  Result<> check_not_stopped();
  Result<> keep_room();
  Result<> check_room();
  Result<> begin_record(const std::optional<SessionRecord>& last);
  void give_room();
  [[nodiscard]] supervise::TreeRequest tree_request() const;
  [[nodiscard]] std::vector<std::string> environment() const;

  std::optional<supervise::EndOrder> idle_order();
  std::optional<supervise::EndOrder> asked_order();
  std::optional<supervise::EndOrder> owner_order();

  [[nodiscard]] Conclusion conclusion();
  static void spoil(supervise::TreeReport& report, const Error& error);
  void finish(supervise::TreeReport& report);
  void show_rest(const supervise::TreeReport& report);

  void say(char news);
  // Into the record, where there is one; `event` must lead somewhere from where it is.
  void enter(session::Event event, os::Durability durability);
  void save(os::Durability durability);
  void tell(std::string_view type);

  const Services& services_;
  const RunOrder& order_;
  os::SignalState signals_;
  os::Handle news_;
  os::Pty* pty_;  // the command's terminal; null where it has none of its own

  std::unique_ptr<lock::Lock> name_;
  std::vector<session::WorkspaceLock> below_;  // what it works in
  HeldLocks locks_;
  OuterHolds outer_;
  std::optional<session::SessionDir> dir_;
  SessionRecord record_;
  bool reserved_ = false;  // there is a record of this run

  std::optional<session::Control> control_;
  std::optional<Owner> owner_;
  std::optional<os::Pid> command_{};  // once it is born
  Streams streams_;
  std::optional<os::BootTimer> idle_timer_;
  BootTime last_output_{};
  std::optional<Error> idle_broken_;  // the timer could not be set
  std::optional<Error> not_saved_;    // the first record that could not be written
  bool ending_ = false;
};

}  // namespace holdfast::run
