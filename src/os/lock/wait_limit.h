// SPDX-License-Identifier: Apache-2.0
//
// WaitLimit: while it lives, a system call that blocks is interrupted (EINTR) from a moment on. For
// calls that can neither be polled nor take a time-out, flock(2) above all. Nothing is polled: one
// timer of the kernel fires once, and again only until the waiter has looked.
//
// Guarantee: a call that is made, or is about to be made, at the moment comes back within 10 ms of
// it. When the object goes, SIGALRM's action and the signal mask are as they were.
//
// Limits: for a program with one thread that does not use SIGALRM itself; one at a time. A SIGALRM
// that others send meanwhile has no effect. Suspend does not count (the monotonic clock), as in
// flock(1). More than a hundred years is a hundred years.
//
// Sequence: start(); the call in a loop: EINTR and passed() is the end, EINTR alone is once more.
// Errors: `einval` for a negative limit; what the kernel says of timers, kOsRefused.
// Windows: `unsupported`.
#pragma once

#include <memory>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::os {

class WaitLimit {
 public:
  static Result<std::unique_ptr<WaitLimit>> start(Duration limit);
  ~WaitLimit();
  WaitLimit(const WaitLimit&) = delete;
  WaitLimit& operator=(const WaitLimit&) = delete;

  [[nodiscard]] bool passed() const;

 private:
  struct Armed;  // what was changed and is to be put back
  explicit WaitLimit(Duration deadline);

  Duration deadline_;  // of the monotonic clock
  std::unique_ptr<Armed> armed_;
};

}  // namespace holdfast::os
