// SPDX-License-Identifier: Apache-2.0
//
// SignalHold: while it lives, the signals that ask a process to end or stop (HUP, INT, QUIT, TERM,
// TSTP and the like) wait, so that a few steps that belong together are all made or none. They
// strike when it goes. For short sections: nothing in it may wait without a limit.
//
// Limits: the mask is of the calling thread. KILL and STOP cannot be held. Windows has no such
// thing: there it holds nothing, and a Ctrl-C is as sudden as a KILL.
#pragma once

#include <memory>

namespace holdfast::os {

class SignalHold {
 public:
  SignalHold();
  ~SignalHold();
  SignalHold(const SignalHold&) = delete;
  SignalHold& operator=(const SignalHold&) = delete;

 private:
  struct Mask;
  std::unique_ptr<Mask> before_;  // none: nothing is held
};

}  // namespace holdfast::os
