// SPDX-License-Identifier: Apache-2.0
//
// How a program takes turns with others that are measured beside it (frame/measure.py is the other
// side; the peers in Python and JavaScript speak the same): it prints `ready`; for each line on its
// standard input it does its work once and prints one line with the microseconds that one act of it
// took; at the end of its input it checks what it left behind and exits.
#pragma once

#include <chrono>
#include <cstdio>

namespace holdfast::bench {

// Each turn is `batch` acts.
template <typename Act>
void take_turns(int batch, const Act& act) {
  std::puts("ready");
  std::fflush(stdout);
  char line[16];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < batch; ++i) act();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began;
    std::printf("%.3f\n", took.count() / batch);
    std::fflush(stdout);
  }
}

}  // namespace holdfast::bench
