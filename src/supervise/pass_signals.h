// SPDX-License-Identifier: Apache-2.0
//
// HeldSignals and SignalPasser: hold back the signals of this process, and hand them on to a child.
//
// What somebody sent, and what the kernel made for this process alone, goes on. What the terminal
// sends does not: a command in the same process group has got it already. A supervisor only learns
// of it (os/signal/signals.h, hand_on).
//
// Sequence: hold signals, open the inbox, start the child; pass_on() whenever handle() is readable.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "base/result.h"
#include "os/signal/signals.h"
#include "os/spawn/child.h"

namespace holdfast::supervise {

// Signals are held back as long as it lives, to be read from an os::SignalInbox; on return the mask
// is as the caller had it.
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

// A supervisor is told as well what the terminal sent to its command, and is woken at once where it
// was stopped: whoever stops it, the command itself perhaps, would switch the deadline off.
enum class Passed : std::uint8_t { kToCommand, kToSupervisor };

class SignalPasser {
 public:
  // The child must outlive it.
  SignalPasser(os::SignalInbox inbox, const os::OwnChild& child, Passed to)
      : inbox_(std::move(inbox)), child_(child), to_(to) {}

  [[nodiscard]] const os::Handle& handle() const { return inbox_.handle(); }
  // While there is no command that the terminal could reach by itself, what it sends goes on too.
  void set_command_there(bool there) { command_there_ = there; }
  // All that has arrived; never waits.
  void pass_on();
  // The last signal that came here to have the work end (os::asks_to_end), whoever made it.
  [[nodiscard]] const std::optional<int>& asked_to_end() const { return asked_to_end_; }

 private:
  Result<os::Sent> pass_on(const os::ArrivedSignal& signal);

  os::SignalInbox inbox_;
  const os::OwnChild& child_;
  Passed to_;
  bool command_there_ = true;
  std::optional<int> asked_to_end_;
};

}  // namespace holdfast::supervise
