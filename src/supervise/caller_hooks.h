// SPDX-License-Identifier: Apache-2.0
//
// CallerHooks: what the caller of a command has to do around it, in the caller's own process: write
// down who it is before it runs, and keep something alive (a lease) while it does.
//
// Signals are held back in all of these; none may wait without a limit.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "os/process/pid.h"

namespace holdfast::supervise {

struct Born {
  os::Pid command{};
  std::optional<os::Pid> supervisor{};  // that reaps the tree, where there is one
};

class CallerHooks {
 public:
  virtual ~CallerHooks() = default;

  // The command exists and waits at its gate. After an Error it never runs.
  virtual Result<> born([[maybe_unused]] const Born& born) { return {}; }
  // The gate is open.
  virtual void started() {}
  // When tick() is wanted; nullopt: not any more. Asked anew after each tick. run_tree only.
  [[nodiscard]] virtual std::optional<BootTime> next_tick() const { return std::nullopt; }
  // kEnd: the tree is ended now: TERM, the request's grace, KILL.
  enum class Wish : std::uint8_t { kGoOn, kEnd };
  virtual Wish tick() { return Wish::kGoOn; }
};

}  // namespace holdfast::supervise
