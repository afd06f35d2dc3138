// SPDX-License-Identifier: Apache-2.0
//
// RunHome: what a session needs of the home: its sessions, its locks, its journal.
#pragma once

#include <memory>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "session/record/store.h"

namespace holdfast::cli {

// Not movable: the backend inside keeps references.
class RunHome {
 public:
  // Made where it is missing. The clock must outlive it.
  static Result<std::unique_ptr<RunHome>> open(const Context& context, const Clock& clock);

  [[nodiscard]] const session::SessionStore& sessions() const { return sessions_; }
  [[nodiscard]] lock::LocalBackend& locks() { return locks_->backend(); }
  [[nodiscard]] DeferredEvents& events() { return locks_->events(); }

  RunHome(session::SessionStore sessions, std::unique_ptr<LockHome> locks)
      : sessions_(std::move(sessions)), locks_(std::move(locks)) {}

 private:
  session::SessionStore sessions_;
  std::unique_ptr<LockHome> locks_;
};

}  // namespace holdfast::cli
