// SPDX-License-Identifier: Apache-2.0
//
// crash_sweep: the process dies at mutation 1, 2, 3, …; what it leaves must be recoverable.
//
// For each n, from a fresh state, a child process runs the body and is killed (SIGKILL, no
// clean-up) just before its n-th call that changes the outside world; if that call is a write,
// another child dies after half of it. Processes that the body forks are not killed and do not
// count. Then a fresh process runs `recover`, which does what a later
// call of the program would do and checks the invariants with EXPECT_…. The sweep ends when the
// body runs to its end without having been struck; the child says so itself, its exit code alone is
// not taken for it.
//
// This is death of the process. What the disk keeps after a power cut is another question: the
// file-system shutdown tests answer it.
#pragma once

#include <cstddef>
#include <functional>

#include "testing/sys_swap_linux.h"

namespace holdfast::testing {

struct CrashSweep {
  std::function<void()> prepare;
  std::function<void()> body;
  // `died_before`: the number of the mutation that was not made; 0 after the undisturbed run.
  std::function<void(std::size_t died_before)> recover;
  MissingCalls missing{};  // what the kernel under the sweep lacks all the time
};

// Returns the number of mutations of the undisturbed body.
std::size_t crash_sweep(const CrashSweep& sweep);

}  // namespace holdfast::testing
