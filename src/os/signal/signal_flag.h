// SPDX-License-Identifier: Apache-2.0
//
// SignalFlag: while it lives, a signal that asks this process to end (os::asks_to_end) raises a
// Flag, which ends a wait for a lock. For a program that holds signals back and has no loop of its
// own at that moment.
//
// Limit: one at a time. A signal that comes while it lives is used up by it. Platform: Linux only.
#pragma once

#include "base/result.h"
#include "os/lock/blocked_wait.h"

namespace holdfast::os {

class SignalFlag {
 public:
  static Result<SignalFlag> listen();
  SignalFlag(SignalFlag&& other) noexcept;
  SignalFlag(const SignalFlag&) = delete;
  SignalFlag& operator=(const SignalFlag&) = delete;
  SignalFlag& operator=(SignalFlag&&) = delete;
  ~SignalFlag();

  [[nodiscard]] const Flag& flag() const;
  // As a signal would.
  void raise() const;

 private:
  SignalFlag() = default;
  bool listening_ = true;
};

}  // namespace holdfast::os
