// SPDX-License-Identifier: Apache-2.0
//
// BootTimer: wakes a poll at a moment of the boot clock, suspend included: a laptop that slept past
// the moment finds the timer due when it wakes.
//
// It only wakes: the owner compares its Clock with the moment, so a wake-up too early or left over
// from an earlier setting does no harm.
#pragma once

#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

class BootTimer {
 public:
  static Result<BootTimer> create();

  // Readable from `moment` on; a moment in the past is due at once. nullopt: never. Setting it
  // makes the handle unreadable until then.
  [[nodiscard]] Result<> set(std::optional<BootTime> moment);
  [[nodiscard]] const Handle& handle() const { return handle_; }

 private:
  explicit BootTimer(Handle handle) : handle_(std::move(handle)) {}

  Handle handle_;
};

}  // namespace holdfast::os
