// SPDX-License-Identifier: Apache-2.0
//
// SupervisorHooks: what a supervisor does beside ending its tree, in its own process: keep a record of the
// run, take what the command prints, listen for orders, watch a limit of its own. (What the caller
// does in *his* process is caller_hooks.h.)
//
// It is called from the supervisor's one loop, so none of these may wait: a deadline would wait
// with it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/signal/signals.h"
#include "os/spawn/child.h"
#include "os/sys/handle.h"
#include "supervise/report.h"

namespace holdfast::supervise {

struct EndOrder {
  EndedBy by = EndedBy::kStop;
  std::optional<Duration> grace{};  // else the request's
  std::optional<int> signal{};      // else the request's
};

class SupervisorHooks {
 public:
  virtual ~SupervisorHooks() = default;

  // The command exists and waits at its gate; the report says how it is contained. After an Error
  // it never runs.
  virtual Result<> born(const os::OwnChild& command, const TreeFacts& facts) = 0;
  // The gate is open.
  virtual void started(WallTime at) = 0;
  // The command's own program runs, or ran. Not called where it could not be started.
  virtual void running() = 0;
  // What to wait for beside the tree's own events. Null and empty ones are left out.
  virtual void add_handles(std::vector<const os::Handle*>& readable,
                           std::vector<const os::Handle*>& writable) const = 0;
  // After each wait, whatever ended it.
  virtual std::optional<EndOrder> round() = 0;
  // The commands were sent a signal that asks to end, by somebody or by the terminal. What they
  // make of it is theirs.
  virtual void asked_to_end(const os::ArrivedSignal& signal) = 0;
  // The tree is about to be ended. Not for what a command left behind when it ended by itself.
  virtual void ending(EndedBy by) = 0;
};

}  // namespace holdfast::supervise
