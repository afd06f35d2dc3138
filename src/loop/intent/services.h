// SPDX-License-Identifier: Apache-2.0
//
// LoopServices: what loops and series work with.
#pragma once

#include <functional>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "format/lock/lock_chain.h"
#include "lock/grant/local_lock.h"
#include "runtime/runtime.h"
#include "session/record/store.h"

namespace holdfast::loop {

struct LoopServices {
  const Clock& clock;
  const session::SessionStore& sessions;
  EventSink& events;
  lock::LocalBackend& locks;
  // For supervisors, which are forked: an open journal or lock must not be shared by two processes,
  // so this process never uses these two.
  EventSink& run_events;
  lock::LocalBackend& run_locks;
  // Called in a supervisor: closes what `events` has open. A lock of a dead loop would otherwise
  // stay held by the copy of its descriptor, for as long as the run takes.
  std::function<void()> let_go{};
  LockChain chain{};
};

// `for_runs` is `own` apart. Both must outlive the services. Errors: of the home.
Result<LoopServices> loop_services(runtime::Runtime& own, runtime::Runtime& for_runs,
                                   LockChain chain);

}  // namespace holdfast::loop
