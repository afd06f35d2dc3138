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
  switch (signal.origin) {
    case os::Origin::kSender:
    case os::Origin::kKernel:
      return child_.signal(signal.number);
    case os::Origin::kChild:
      if (stopped_ == StoppedChild::kLeave) return os::Sent::kGone;
      if (HF_TRY(os::take_stop(child_.pid))) return child_.signal(os::continue_signal());
      return os::Sent::kGone;
    case os::Origin::kTerminal:
      if (!command_there_ && os::asks_to_end(signal.number)) return child_.signal(signal.number);
      return os::Sent::kGone;
  }
  __builtin_unreachable();
}

}  // namespace holdfast::supervise
