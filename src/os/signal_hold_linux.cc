// SPDX-License-Identifier: Apache-2.0
#include "os/signal_hold.h"

#include <initializer_list>

#include "os/sys_linux.h"

namespace holdfast::os {

SignalHold::SignalHold() {
  sigset_t set{};
  sigemptyset(&set);
  for (const int signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU}) {
    sigaddset(&set, signal);
  }
  held_ = sys().sigprocmask(SIG_BLOCK, &set, &before_) == 0;
}

SignalHold::~SignalHold() {
  if (held_) sys().sigprocmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace holdfast::os
