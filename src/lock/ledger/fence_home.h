// SPDX-License-Identifier: Apache-2.0
//
// FenceHome: the mark of all fences of a home, `HOME/locks/.fence`: no lock that reserved through
// this home was ever granted with a generation above it.
//
// It is what a fence goes on from when a ledger is lost. It is read and raised under an OFD lock of
// its own, kept in two checksummed slots, and synced before raise() returns. It goes up in large
// steps, so that most locks find it high enough and sync nothing.
//
// Errors: os_error.h; kRefused where something else lies there; both slots damaged is no error (the
// wall clock then starts above every earlier mark), one of a newer version is kCannotTell.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::lock {

// Above every generation that was ever given out until this second.
std::uint64_t fence_floor(const Clock& clock);

class FenceHome {
 public:
  explicit FenceHome(const os::Dir& locks) : locks_(locks) {}

  // 0: none yet.
  [[nodiscard]] Result<std::uint64_t> mark() const;
  // The mark is at least `wanted`, durably. Returns it.
  [[nodiscard]] Result<std::uint64_t> raise(std::uint64_t wanted) const;

 private:
  const os::Dir& locks_;
};

}  // namespace holdfast::lock
