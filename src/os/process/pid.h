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

}  // namespace holdfast::os
