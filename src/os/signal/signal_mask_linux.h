// SPDX-License-Identifier: Apache-2.0
//
// Between the kernel's signal set and the neutral bits of SignalState; for src/os/*/*_linux.cc only.
#pragma once

#include <signal.h>

#include <cstdint>

namespace holdfast::os {

inline constexpr int kSignals = 64;

inline std::uint64_t to_bits(const sigset_t& set) {
  std::uint64_t bits = 0;
  for (int signal = 1; signal <= kSignals; ++signal) {
    if (sigismember(&set, signal) == 1) bits |= std::uint64_t{1} << (signal - 1);
  }
  return bits;
}

inline sigset_t to_sigset(std::uint64_t bits) {
  sigset_t set;
  sigemptyset(&set);
  for (int signal = 1; signal <= kSignals; ++signal) {
    if ((bits >> (signal - 1) & 1U) != 0) sigaddset(&set, signal);
  }
  return set;
}

}  // namespace holdfast::os
