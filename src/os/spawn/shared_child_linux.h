// SPDX-License-Identifier: Apache-2.0
//
// The life of a child that shares its parent's memory until its exec (spawn_linux.cc has why).
//
// It touches nothing but its own stack and the plan: no errno, no lock, no allocation, and no stack
// protector, which reads the memory of a thread that may have ended meanwhile.
//
// Limits: until the exec, what ends everybody who shares a memory (the OOM killer) ends both. A
// debugger that lets go of such a child takes its breakpoints out of the parent as well, and
// valgrind has no such children: it ends the program.
#pragma once

namespace holdfast::os {

// Is it built for such children? Else live_sharing must not be used.
bool can_live_sharing();
// For clone(2); `plan` is a ChildPlan. Does not come back.
int live_sharing(void* plan);

}  // namespace holdfast::os
