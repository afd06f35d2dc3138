// SPDX-License-Identifier: Apache-2.0
//
// fault_sweep: failure swept, not sampled.
//
// First the body runs once undisturbed while its system calls are listed. Then, for every call in
// that list and every errno that matters for it, the body runs again from a fresh state with that
// call failing once, and again with that call and all later ones of its name failing for good;
// reads and writes also come back short, and calls that a signal can interrupt come back with
// EINTR. After every run `check` looks at what is left. No failure point is chosen by hand, so none
// is forgotten.
//
// With `second_faults`, calls that only a faulted run makes (the fallback, the clean-up) fail too:
// the same case again, with each of these calls failing once with each of its errnos. What a run
// makes anew lies behind its first fault and before the calls with which both it and the
// undisturbed run end; of these, the first kMaxNewCalls are swept. Third faults are not.
//
//   fault_sweep({.prepare = [&] { tmp.clear(); },
//                .body    = [&] { return create_marker(tmp.dir()).has_value(); },
//                .check   = [&](const SweepCase& c, bool succeeded) { … EXPECT_… }});
//
// Checked for every run, without being asked: no descriptor stays open, and what only slows a call
// down (a short read or write, one EINTR) does not make the body fail.
//
// Limit: calls in processes that the body forks run undisturbed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "testing/sys_swap_linux.h"

namespace holdfast::testing {

inline constexpr std::size_t kMaxNewCalls = 8;

struct SweepCase {
  std::string description;  // "write (call 4) fails with ENOSPC for good"
  std::string call;         // "write"
  int os_code = 0;          // 0: a short transfer
  bool for_good = false;
  std::string second_call{};  // of a second fault; empty where there is none
  int second_os_code = 0;

  // Did this call fail, as the first fault or the second?
  [[nodiscard]] bool fails(std::string_view name) const {
    return call == name || second_call == name;
  }
};

struct FaultSweep {
  std::function<void()> prepare;
  std::function<bool()> body;  // true: it reported success
  std::function<void(const SweepCase&, bool succeeded)> check;
  MissingCalls missing{};  // what the kernel under the sweep lacks all the time
  bool second_faults = false;
};

// Returns the number of cases run; a test expects at least as many as it knows of.
std::size_t fault_sweep(const FaultSweep& sweep);

}  // namespace holdfast::testing
