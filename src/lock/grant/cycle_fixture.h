// SPDX-License-Identifier: Apache-2.0
//
// For tests of waiting in a circle: a home, its locks, and a clock that only the test moves.
#pragma once

#include <gtest/gtest.h>

#include "lock/grant/cycle.h"
#include "lock/grant/local_lock.h"
#include "os/machine/real_clock.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"

namespace holdfast::lock {

class CycleFixture : public ::testing::Test {
 protected:
  std::unique_ptr<Lock> hold(const std::string& name, LockMode mode = LockMode::kExclusive) {
    auto lock = backend_.open({.kind = LockId::Kind::kNamed, .text = name}).value();
    const auto outcome = lock->acquire({.mode = mode});
    EXPECT_TRUE(outcome && outcome->granted()) << name;
    return lock;
  }
  Place place(const std::string& name) {
    return backend_.place_of({.kind = LockId::Kind::kNamed, .text = name}).value();
  }

  testing::TempDir home_;
  os::RealClock real_;
  LocalBackend backend_{home_.dir(), real_, nullptr};
  testing::ManualClock clock_;
};

}  // namespace holdfast::lock
