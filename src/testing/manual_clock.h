// SPDX-License-Identifier: Apache-2.0
//
// ManualClock: a Clock that moves only when the test says so; a step of the wall clock alone
// (somebody set the date) or a suspend (boot time without monotonic time) included.
#pragma once

#include "base/clock.h"

namespace holdfast::testing {

class ManualClock final : public Clock {
 public:
  [[nodiscard]] WallTime wall() const override { return wall_; }
  [[nodiscard]] BootTime boot() const override { return boot_; }
  [[nodiscard]] MonoTime mono() const override { return mono_; }

  void advance(Duration by) {
    wall_ += by;
    boot_ += by;
    mono_ += by;
  }
  void suspend(Duration by) {
    wall_ += by;
    boot_ += by;
  }
  void step_wall(Duration by) { wall_ += by; }

 private:
  WallTime wall_{std::chrono::seconds(1'700'000'000)};
  BootTime boot_{std::chrono::seconds(1000)};
  MonoTime mono_{std::chrono::seconds(900)};
};

}  // namespace holdfast::testing
