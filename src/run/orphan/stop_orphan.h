// SPDX-License-Identifier: Apache-2.0
//
// OrphanStop: the end of one orphan by somebody who is not its supervisor.
//
// Sequence: begin(); while is_going(): wait for changes() or due(), then step(); report().
//
// Journal first: the decision is durable before anybody is signalled (proc/kill/kill.h), because
// nobody announced this force; without a journal nothing is done, and report().error says so.
//
// What follows where this process dies: before the first signal an orphan; behind it an orphan with
// fewer processes; with an empty group a session that is provably `lost`. The record names the tree
// until the tree is proven empty.
#pragma once

#include <optional>

#include "run/lock/held_locks.h"
#include "run/orphan/orphan.h"
#include "run/orphan/orphan_end.h"
#include "run/orphan/stop.h"

namespace holdfast::run {

class OrphanStop {
 public:
  // All must outlive it.
  OrphanStop(const OrphanServices& services, const StopOrder& order, std::string name)
      : services_(services), order_(order) {
    report_.name = std::move(name);
  }
  OrphanStop(const OrphanStop&) = delete;
  OrphanStop& operator=(const OrphanStop&) = delete;
  ~OrphanStop() = default;

  // Owns it and begins. Without a control group it is all done here, with the waiting.
  void begin(session::SessionDir dir);

  [[nodiscard]] bool is_going() const { return end_.has_value(); }
  [[nodiscard]] const os::Handle& changes() const { return group_->changes(); }
  [[nodiscard]] MonoTime due() const { return end_->due(); }
  void step();

  [[nodiscard]] const StopReport& report() const { return report_; }

 private:
  Result<> try_begin(session::SessionDir dir);
  Result<> assume_gone();
  Result<> begin_with_group();
  void hold_locks();
  void leave();
  bool end_those_outside();
  struct Pace {
    int signal;
    Duration grace;
    std::optional<Duration> patience;  // behind KILL; the usual one
  };
  [[nodiscard]] Pace pace() const;
  Result<proc::KillReport> end_outside_in_time() const;
  Result<> end_without_group();
  Result<> close(session::Event event, std::string_view reason);
  void run_on_end();
  void remove_groups();
  void refuse(const std::string& why);
  void give_up(Error error);

  const OrphanServices& services_;
  const StopOrder& order_;
  StopReport report_;
  std::optional<Orphan> orphan_;
  HeldLocks locks_;  // of the run, until its tree is gone
  std::optional<proc::CgroupTree> group_;
  std::optional<OrphanEnd> end_;
};

}  // namespace holdfast::run
