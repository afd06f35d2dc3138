// SPDX-License-Identifier: Apache-2.0
//
// Compiled without the stack protector (CMakeLists.txt).
#include "os/spawn/run_child_linux.h"

#include "os/spawn/child_calls_linux.h"

namespace holdfast::os {

#if HF_BARE_CALLS
bool can_live_sharing() { return true; }
int live_sharing(void* plan) { run_child<BareCalls>(*static_cast<const ChildPlan*>(plan)); }
#else
bool can_live_sharing() { return false; }
int live_sharing(void* /*plan*/) { return kNeverRan; }
#endif

}  // namespace holdfast::os
