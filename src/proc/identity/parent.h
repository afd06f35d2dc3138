// SPDX-License-Identifier: Apache-2.0
//
// The processes above the caller.
#pragma once

#include <vector>

#include "base/result.h"
#include "os/process/pid.h"
#include "proc/identity/identity.h"

namespace holdfast::proc {

// The process right above this one: in a script the shell, or a subshell that it forked for
// brackets, a pipe or `&` (owner.h finds the shell behind those).
//
// Guarantee: it was the parent at a moment when it was already pinned. Errors: kCannotTell, cause
// `other-pid-namespace`, where the parent has no number here; what stands in proc/identity/identity.h.
Result<Pinned> parent_process();

// The numbers of all that are above the caller now, the parent first. Limit: it ends at the first
// one that /proc does not show to this user; who stands above that one is not known. Each number is
// of an ancestor only as long as that one lives: compare it with a process that is pinned.
Result<std::vector<os::Pid>> ancestors();
// The same of another process, without an error: what cannot be seen is not in it.
std::vector<os::Pid> ancestors_of(os::Pid pid);

}  // namespace holdfast::proc
