// SPDX-License-Identifier: Apache-2.0
//
// Processes of our own, and how any process ended; for src/os/*/*_win.cc only.
//
// Windows has no list of a process's children and no zombies: a process that has ended is there as long as somebody
// has a handle to it, and its number is not given to another meanwhile. So a handle to each child
// is kept here from its start until it is reaped, which makes its number mean it, as on Linux.
#pragma once

#include "base/result.h"
#include "os/process/pid.h"
#include "os/process/pidfd.h"
#include "os/spawn/child.h"
#include "os/sys/handle.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {

// A copy of the handle is kept.
Result<> note_child(Pid pid, const Handle& process);

// Asks everybody in the process group that `pid` leads, or ends this one process (KILL).
Result<Sent> signal_group_or_kill(const Handle& process, Pid pid, int signal);

// enter_background was called: this process has a console that nobody sees, or none.
bool is_in_background();

// How a process ended, out of the one number that Windows keeps of it.
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
constexpr DWORD kKilledBase = 0xE0484600U;
constexpr DWORD killed_code(int signal) { return kKilledBase | static_cast<DWORD>(signal & 0x7F); }

ChildEnd end_of_code(Pid pid, DWORD code);

}  // namespace holdfast::os
