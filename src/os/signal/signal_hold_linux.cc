// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signal_hold.h"

#include <csignal>
#include <initializer_list>

#include "os/sys/sys_linux.h"

namespace holdfast::os {

struct SignalHold::Mask {
  sigset_t set{};
};

SignalHold::SignalHold() {
  sigset_t set{};
  sigemptyset(&set);
  for (const int signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU}) {
    sigaddset(&set, signal);
  }
  auto before = std::make_unique<Mask>();
  if (sys().sigprocmask(SIG_BLOCK, &set, &before->set) == 0) before_ = std::move(before);
}

SignalHold::~SignalHold() {
  if (before_) sys().sigprocmask(SIG_SETMASK, &before_->set, nullptr);
}

}  // namespace holdfast::os
