// SPDX-License-Identifier: Apache-2.0
//
// ProcessIdentity: what makes a process this one and no other, as records keep it. src/proc makes
// and judges it.
#pragma once

#include <compare>
#include <cstdint>

#include "base/id128.h"

namespace holdfast {

struct ProcessIdentity {
  Id128 boot;               // of the kernel; zeros: not known
  Id128 machine;            // zeros: not known
  std::uint64_t pidns = 0;  // inode of the pid namespace that `pid` counts in
  std::uint64_t timens =
      0;  // the boot clock that `start` and boot times count by (os/machine/namespaces.h)
  std::int32_t pid = 0;     // 0: no process
  std::uint64_t start = 0;  // ticks since boot
  std::uint64_t pidfs = 0;  // unique within the boot, where the kernel has it (6.9); else 0
  std::uint32_t uid = 0;

  bool operator==(const ProcessIdentity&) const = default;
};

}  // namespace holdfast
