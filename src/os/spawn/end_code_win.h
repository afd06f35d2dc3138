// SPDX-License-Identifier: Apache-2.0
//
// How a process ended, out of the one number that Windows keeps of it; for src/os/*/*_win.cc only.
//
// Windows knows no signals. Whoever is ended by force is given its exit code by the one who ends
// it; holdfast gives killed_code(signal), a number that no program uses for itself, and so can say
// "killed" afterwards. What the system says of a crash has its own numbers (NTSTATUS), and is told
// as the signal that the same fault is elsewhere:
//
//   killed_code(n)                       signal n
//   control-C exit                       INT
//   access violation, stack overflow     SEGV
//   illegal, privileged instruction      ILL
//   division by zero, float faults       FPE
//   corrupt heap, fail fast              ABRT
//   0 to 255                             that exit code
//   anything else                        exit code 255: holdfast's records and shells know no more
//                                        than a byte, and no failure must become 0
#pragma once

#include "os/spawn/child.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {

constexpr DWORD kKilledBase = 0xE0484600U;
constexpr DWORD killed_code(int signal) { return kKilledBase | static_cast<DWORD>(signal & 0x7F); }

ChildEnd end_of_code(Pid pid, DWORD code);

}  // namespace holdfast::os
