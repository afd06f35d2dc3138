// SPDX-License-Identifier: Apache-2.0
#include "supervise/pass_signals.h"

namespace holdfast::supervise {

void SignalPasser::pass_on() {
  for (;;) {
    const auto signal = inbox_.next();
    if (!signal || !*signal) return;
    if (os::asks_to_end((*signal)->number)) asked_to_end_ = (*signal)->number;
    const auto sent = pass_on(**signal);
    static_cast<void>(sent);  // gone: how it ended says the rest
  }
}

Result<os::Sent> SignalPasser::pass_on(const os::ArrivedSignal& signal) {
  const bool to_supervisor = to_ == Passed::kToSupervisor;
  switch (signal.origin) {
    case os::Origin::kSender:
      return to_supervisor ? os::hand_on(signal, child_) : child_.signal(signal.number);
    case os::Origin::kKernel:
      return child_.signal(signal.number);
    case os::Origin::kChild:
      if (!to_supervisor) return os::Sent::kGone;
      if (HF_TRY(os::take_stop(child_.pid))) return child_.signal(os::continue_signal());
      return os::Sent::kGone;
    case os::Origin::kTerminal:
      if (!os::asks_to_end(signal.number)) return os::Sent::kGone;
      if (!command_there_) return child_.signal(signal.number);
      return to_supervisor ? os::hand_on(signal, child_) : os::Sent::kGone;
  }
  __builtin_unreachable();
}

}  // namespace holdfast::supervise
