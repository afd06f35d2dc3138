// SPDX-License-Identifier: Apache-2.0
//
// Pid: the number of a process. It is a label, not evidence: the moment a process is reaped its
// number may name another one. What may be done with a bare number is said in os/spawn/child.h (one's own
// unreaped child) and os/process/pidfd.h (everything else).
#pragma once

#include <cstdint>

namespace holdfast::os {

enum class Pid : std::int32_t {};

constexpr int number(Pid pid) { return static_cast<int>(pid); }

Pid own_pid();

// A mark of this process that a fork changes: for asking "am I still who opened this?" on hot
// paths.
//
// It is a random number, kept in a page that the kernel empties in a child (MADV_WIPEONFORK), so a
// fork by any library is noticed. Two calls to getpid cost 6 % of a journal append. Where the
// kernel has no such page (before 4.14), it is the process's own number.
std::int64_t process_mark();

}  // namespace holdfast::os
