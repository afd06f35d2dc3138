// SPDX-License-Identifier: Apache-2.0
//
// SignalHold: while it lives, the signals that ask a process to end or stop (HUP, INT, QUIT, TERM,
// TSTP and the like) wait, so that a few steps that belong together are all made or none. They
// strike when it goes. For short sections: nothing in it may wait without a limit.
//
// Limits: the mask is of the calling thread. KILL and STOP cannot be held.
// Platform: Linux only.
#pragma once

#include <csignal>

namespace holdfast::os {

class SignalHold {
 public:
  SignalHold();
  ~SignalHold();
  SignalHold(const SignalHold&) = delete;
  SignalHold& operator=(const SignalHold&) = delete;

 private:
  sigset_t before_{};
  bool held_ = false;
};

}  // namespace holdfast::os
