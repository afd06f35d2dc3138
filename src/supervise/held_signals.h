// SPDX-License-Identifier: Apache-2.0
//
// HeldSignals: signals are held back as long as it lives, to be read from an os::SignalInbox; on
// return the mask is as the caller had it.
#pragma once

#include <utility>

#include "base/result.h"
#include "os/signal/signals.h"

namespace holdfast::supervise {

class HeldSignals {
 public:
  static Result<HeldSignals> hold() { return HeldSignals(HF_TRY(os::block_signals())); }
  HeldSignals(HeldSignals&& other) noexcept
      : state_(other.state_), held_(std::exchange(other.held_, false)) {}
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  HeldSignals& operator=(HeldSignals&&) = delete;
  ~HeldSignals() {
    if (!held_) return;
    const auto restored = os::restore_signals(state_);
    static_cast<void>(restored);  // then what is still to be said cannot be interrupted
  }
  // What the caller had, for the programs that are started.
  [[nodiscard]] const os::SignalState& state() const { return state_; }

 private:
  explicit HeldSignals(const os::SignalState& state) : state_(state) {}
  os::SignalState state_;
  bool held_ = true;
};

}  // namespace holdfast::supervise
