// SPDX-License-Identifier: Apache-2.0
//
// Signals to everything below one process: the caller, who is its tree's subreaper.
//
// Guarantee: no process outside the tree is ever signalled, whatever numbers are recycled
// meanwhile; tree.cc has the argument. Limit: one pass reaches what was there when it looked. A
// process that forks behind its back is missed by that pass, so a pass that finds nobody proves
// nothing: the proof that a tree is empty is ECHILD (os/spawn/child.h), and a kill is repeated until
// then.
//
// Reach::kPidfd signals every descendant. Reach::kOwnChildren, for kernels without pidfds, signals
// the direct children only; as they die, theirs become direct children (subreaper) and the next
// pass reaches those.
//
// A process that is listed but cannot be read (hidepid=1: a set-user-id program below the caller as
// well as every stranger) is offered the signals by number: os::signal_own_child makes the kernel
// confirm that it is the caller's own child, and a stranger is not. Deeper ones come up to that
// level as their parents die. One that is not even listed (hidepid=2) is out of a pass's reach; the
// caller signals the command that it started through its own handle.
//
// Errors: /proc cannot be read at all (kCannotTell, kOsRefused). What was signalled before stays
// so.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"
#include "proc/identity/process_facts.h"

namespace holdfast::proc {

enum class Reach : std::uint8_t { kPidfd, kOwnChildren };

struct TreePass {
  std::vector<ProcessFacts> signalled;
  std::vector<ProcessFacts> refused;  // not permitted: they have changed their user
  std::size_t unread = 0;             // rows that could not be read, strangers' among them
  // Living ones below the caller that could not be proven to be: their parent ended meanwhile.
  std::size_t missed = 0;
  std::uint64_t newest = 0;  // the latest start of those that were looked at
};

// Sends `signals`, in this order, to each descendant for which `wanted` says yes. Of one whose row
// could not be read, `wanted` and the answer know only the number; its state is '?'.
Result<TreePass> signal_tree(Reach reach, const std::vector<int>& signals,
                             const std::function<bool(const ProcessFacts&)>& wanted);

// For the record: who is seen alive below the caller. An empty list is no proof that nobody is:
// unread, unlisted and newly forked processes are missing from it.
Result<std::vector<ProcessFacts>> living_descendants();

}  // namespace holdfast::proc
