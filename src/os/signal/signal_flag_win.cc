// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signal_flag.h"

#include <optional>
#include <utility>

#include "os/signal/console_signals_win.h"

namespace holdfast::os {
namespace {

// Never destroyed: the console's thread may raise it while this process ends.
std::optional<Flag>& the_flag() {
  static auto* const flag = new std::optional<Flag>;
  return *flag;
}

}  // namespace

Result<SignalFlag> SignalFlag::listen() {
  the_flag().emplace();
  HF_TRY(set_end_listener([] { the_flag()->raise(); }));
  return SignalFlag();
}

SignalFlag::SignalFlag(SignalFlag&& other) noexcept
    : listening_(std::exchange(other.listening_, false)) {}

SignalFlag::~SignalFlag() {
  if (!listening_) return;
  const auto ended = set_end_listener({});
  static_cast<void>(ended);  // the handler is there already: nothing can fail
}

const Flag& SignalFlag::flag() const { return *the_flag(); }

void SignalFlag::raise() const { the_flag()->raise(); }

}  // namespace holdfast::os
