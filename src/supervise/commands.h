// SPDX-License-Identifier: Apache-2.0
//
// Commands: what stands at the root of a tree, one command or several in a row, each one's stdout
// the next one's stdin.
//
// Guarantee: all of them exist and wait at their gates before the first byte of any of them runs.
// Once spawned, no end of the pipes between them is open here, so that each of them sees the end of
// its input and the loss of its reader.
//
// Sequence: spawn() → release() → take_starts() whenever one of start_handles() is readable, and
// note_end() of every process reaped.
// Errors of spawn: nothing was started; those who wait at a gate go as this goes.
#pragma once

#include <vector>

#include "base/result.h"
#include "os/signal/signals.h"
#include "os/spawn/child.h"
#include "os/spawn/spawn.h"
#include "supervise/report.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

class Commands {
 public:
  // `output` is what the last one prints to where the request says kHandle.
  // They are born in `cgroup` (os/spawn/spawn.h), where it is one.
  [[nodiscard]] Result<> spawn(const TreeRequest& request, os::NativeHandle output,
                               const os::SignalState& signals,
                               os::NativeHandle cgroup = os::HandleTraits::nothing());
  // Where it fails, some may run and others wait at their gates for ever: end them.
  [[nodiscard]] Result<> release();

  // Of those of whom it is not known yet whether they have started.
  [[nodiscard]] std::vector<const os::Handle*> start_handles() const;
  // Reads what there is to know; never blocks.
  [[nodiscard]] Result<> take_starts();
  // Of commands in a namespace of their own (os/spawn/spawn.h): readable when one has ended, or its init.
  [[nodiscard]] std::vector<const os::Handle*> outcome_handles() const;
  void take_outcomes();
  // A number is looked for among those that have not ended: after its end it may be another's.
  void note_end(const os::ChildEnd& end);

  // Known of each that its program runs, or ran.
  [[nodiscard]] bool all_started() const;
  [[nodiscard]] bool all_ended() const;
  // One could not start and another lives, for nothing.
  [[nodiscard]] bool pointless() const;

  // Calls `visit` with the os::OwnChild of each that has not ended.
  template <typename Visit>
  void each_living(const Visit& visit) const {
    for (const One& one : all_) {
      if (!one.facts.end) visit(one.spawned.child());
    }
  }
  void signal_living(int signal) const;
  // Null where none was spawned.
  [[nodiscard]] const os::OwnChild* first() const {
    return all_.empty() ? nullptr : &all_.front().spawned.child();
  }

  [[nodiscard]] std::vector<CommandFacts> facts() const;

 private:
  struct One {
    os::Spawned spawned;
    bool start_known = false;
    CommandFacts facts{};
  };
  Result<> take_start(One& one);

  std::vector<One> all_;
};

}  // namespace holdfast::supervise
