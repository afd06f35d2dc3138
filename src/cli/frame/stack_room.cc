// SPDX-License-Identifier: Apache-2.0
//
// Compiled without -fstack-clash-protection (see CMakeLists.txt), which would touch each of the
// pages: half of what a short command takes in all. The kernel's own gap below a stack is four
// times as wide as this step.
#include "cli/frame/stack_room.h"

#include <cstddef>

namespace holdfast::cli {

[[gnu::noinline]] void claim_stack_room() {
  constexpr std::size_t kEnough = std::size_t{256} << 10U;
  volatile char deepest[kEnough];
  deepest[0] = 0;
  static_cast<void>(deepest[0]);
}

}  // namespace holdfast::cli
