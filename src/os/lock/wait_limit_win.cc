// SPDX-License-Identifier: Apache-2.0
#include "os/lock/wait_limit.h"

#include "os/sys/not_offered_win.h"

namespace holdfast::os {

struct WaitLimit::Armed {};

Result<std::unique_ptr<WaitLimit>> WaitLimit::start(Duration /*limit*/) {
  return fail(not_offered("set up", "a timer", "Windows has no signal that interrupts a call"));
}

WaitLimit::WaitLimit(Duration deadline) : deadline_(deadline) {}
WaitLimit::~WaitLimit() = default;
bool WaitLimit::passed() const { return true; }

}  // namespace holdfast::os
