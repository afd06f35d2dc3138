// SPDX-License-Identifier: Apache-2.0
//
// The init of a pid namespace, for spawn_linux.cc.
#pragma once

#include "base/result.h"
#include "os/spawn/child.h"
#include "os/spawn/child_plan_linux.h"
#include "os/stream/pipe.h"

namespace holdfast::os {

// Set in a byte of the relay: the signal is for everybody in the namespace, not for the command.
inline constexpr unsigned char kToEverybody = 0x80;

class InitPipes {
 public:
  static Result<InitPipes> make();

  // In the child: becomes the init, makes the command, and ends with the last one in the namespace.
  [[noreturn]] void live_as_init(const ChildPlan& plan, bool with_user);
  // In the parent: waits until it is one, and gives the child its handles.
  Result<> take_over(OwnChild& child);

 private:
  Pipe relay_;
  Pipe outcome_;
  unsigned user_ = 0;
  unsigned group_ = 0;
};

// As fork_process, or fork_into_cgroup where `group` is one; the child is process 1 of a namespace.
Result<Forked> fork_into_pid_namespace(NativeHandle group, bool with_user);

}  // namespace holdfast::os
