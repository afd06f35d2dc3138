// SPDX-License-Identifier: Apache-2.0
//
// Resource limits of one process (rlimits), which its children inherit one by one: a process with
// ten children may use eleven times as much.
//
// Sequence: for a child that waits at its gate (os/spawn/spawn.h), so that no byte of the command runs
// without it. Both the soft and the hard limit are set: the command cannot raise it again, unless
// it is privileged.
// Errors: kOsRefused (`eperm`: above the caller's own hard limit). Windows: `unsupported`.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "os/process/pid.h"

namespace holdfast::os {

enum class ProcessLimit : std::uint8_t {
  kAddressSpace,  // bytes
  kOpenFiles,     // the highest descriptor + 1
};

Result<> limit_process(Pid own_child, ProcessLimit limit, std::uint64_t value);

// What the caller may not exceed; nullopt: nothing.
Result<std::optional<std::uint64_t>> own_hard_limit(ProcessLimit limit);

}  // namespace holdfast::os
