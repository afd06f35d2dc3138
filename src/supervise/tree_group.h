// SPDX-License-Identifier: Apache-2.0
//
// TreeGroup: the control group that holds a tree together, and the limits of the tree, as the
// supervisor uses them. Where there is no group every question has the answer that needs none, and
// the subreaper's own means do the work alone. On Windows it is a job object, which every tree has.
//
// Guarantees: with a group, the commands are born in it (os/spawn/spawn.h), KILL strikes everybody in it
// at once, and "nobody is left" is the kernel's `populated 0`, asked for on top of ECHILD. What
// left the group is still below the subreaper; who was put into it from outside is ended with it.
// Nobody leaves a job, so there it is all there is (`holds_all`); and unless the tree's leftovers
// are to be left alone, the system itself ends the tree when the supervisor is gone, however.
//
// Sequence: prepare → handle() for the spawning → apply_limits to each at its gate → … → finish.
// Errors of prepare are of the limits only: a group that cannot be made is no error, the facts say
// what holds the tree together instead.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"
#include "supervise/report.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

class TreeGroup {
 public:
  TreeGroup();
  TreeGroup(const TreeGroup&) = delete;
  TreeGroup& operator=(const TreeGroup&) = delete;
  ~TreeGroup();

  Result<> prepare(const TreeRequest& request, TreeFacts& facts);

  // Is there anything to remove in the end?
  [[nodiscard]] bool made() const;
  // For os::SpawnRequest::cgroup.
  [[nodiscard]] os::NativeHandle handle() const;
  // Nobody could be put into it. True: the tree can do without, and the facts say so.
  [[nodiscard]] bool give_up(TreeFacts& facts);
  [[nodiscard]] Result<> apply_limits(os::Pid child_at_its_gate);
  // All of them are through their gates. On Windows a tree that is to outlive us is told so only
  // now: until then it must go with us, or one that waits at its gate would wait for ever.
  [[nodiscard]] Result<> released();
  // Nobody of the tree can be anywhere else: there is nothing to look for outside.
  [[nodiscard]] bool holds_all() const;

  // Null without a group. Readable until take_changes() when somebody came or the last one went.
  [[nodiscard]] const os::Handle* changes() const;

  void take_changes();

  // kDying: the kernel counts processes that no list shows any more; changes() will tell.
  // kCannotTell: there is a group, and it does not say.
  enum class Left : std::uint8_t { kNobody, kDying, kSomebody, kCannotTell };
  [[nodiscard]] Left look() const;

  // In the group now, sorted; empty where that cannot be told.
  [[nodiscard]] std::vector<os::Pid> members() const;
  // Signals those of `pids`, which are sorted, that are in the group; who was reached.
  std::vector<os::Pid> signal(const std::vector<os::Pid>& pids,
                              const std::vector<int>& signals) const;
  // KILL to everybody in it. True: they die of it without more help. Allocates nothing unless it
  // fails.
  bool kill() const;

  // The end: what the limits did, and the groups are removed as far as nobody is in them.
  void finish(TreeFacts& facts);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace holdfast::supervise
