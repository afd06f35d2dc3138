// SPDX-License-Identifier: Apache-2.0
//
// Who called: the processes above the caller, and for whom it acts.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/process/pid.h"
#include "proc/identity/identity.h"

namespace holdfast::proc {

// The process right above this one: in a script the shell, or a subshell that it forked for
// brackets, a pipe or `&` (calling_owner finds the shell behind those).
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

// For whom does a command act that ends at once? For the program that called it: in a script, the
// shell.
//
//   TOKEN=$(holdfast acquire build)
//
// runs in a subshell, which the shell forked for the brackets and which is gone right after. The
// owner is therefore the nearest ancestor that has exec'd a program: a shell's own forks have not
// (the kernel's PF_FORKNOEXEC tells).
//
// Guarantee: the answer was an ancestor of the caller at a moment when it was already pinned, and
// each step up the chain was seen again after the pin: no recycled number is ever taken for an
// ancestor. Limits: a program that forks workers without exec (Python's multiprocessing) is its
// workers' owner as well. A caller that has lost its parent to a reaper within its own session is
// not told from that reaper's child.
//
// Errors: kUsage, cause `no-owner`, naming `--owner $$`, where the owner would be process 1,
// outside the pid namespace, or one that has merely adopted an orphan of another session. What
// stands in proc/identity/identity.h for a parent that cannot be looked at.
// Windows: the parent, which for `for /f` of cmd is a shell of its own that ends at once: name the
// owner there, or use PowerShell.
Result<Pinned> calling_owner();

// The process that the caller names. Process 1 may be named: in a container it may be the shell.
// kUsage, cause `no-owner`, where no such process runs.
Result<Pinned> owner_by_pid(os::Pid pid);

// Was `owner`, or a process above it, exec'd with an environment that `has` accepts? Who was
// started inside of something is found by what it was told there; a program that wrote over its own
// environment is found by its parents. False also where environments may not be read. kCannotTell,
// cause `moving`, where the processes above it come and go.
Result<bool> is_inside(const Pinned& owner, const std::function<bool(std::string_view)>& has);

}  // namespace holdfast::proc
