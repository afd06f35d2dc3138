// SPDX-License-Identifier: Apache-2.0
//
// sysconf asks no kernel for this: the number came with the start of the program.
#include <unistd.h>

#include "os/machine/clock_tick.h"

namespace holdfast::os {

Duration clock_tick() {
  constexpr long kUsual = 100;
  const long per_second = ::sysconf(_SC_CLK_TCK);  // lint: sys_table no system call
  return Duration(std::chrono::seconds(1)) / (per_second > 0 ? per_second : kUsual);
}

}  // namespace holdfast::os
