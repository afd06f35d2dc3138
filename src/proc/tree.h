// SPDX-License-Identifier: Apache-2.0
//
// Signals to everything below one process: the caller, who is its tree's subreaper.
//
// Guarantee: no process outside the tree is ever signalled, whatever numbers are recycled
// meanwhile; tree.cc has the argument. Limit: one pass reaches what was there when it looked. A
// process that forks behind its back is missed by that pass, so a pass that finds nobody proves
// nothing: the proof that a tree is empty is ECHILD (os/child.h), and a kill is repeated until
// then.
//
// Reach::kPidfd signals every descendant. Reach::kOwnChildren, for kernels without pidfds, signals
// the direct children only; as they die, theirs become direct children (subreaper) and the next
// pass reaches those.
//
// Errors: /proc cannot be read (kCannotTell, kOsRefused). What was signalled before stays so.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"
#include "proc/stat_line.h"

namespace holdfast::proc {

enum class Reach : std::uint8_t { kPidfd, kOwnChildren };

struct TreePass {
  std::vector<ProcessFacts> signalled;
  std::vector<ProcessFacts> refused;  // not permitted: they have changed their user
};

// Sends `signals`, in this order, to each descendant for which `wanted` says yes.
Result<TreePass> signal_tree(Reach reach, const std::vector<int>& signals,
                             const std::function<bool(const ProcessFacts&)>& wanted);

// For the record: who is alive below the caller as far as one look can tell.
Result<std::vector<ProcessFacts>> living_descendants();

}  // namespace holdfast::proc
