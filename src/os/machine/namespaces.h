// SPDX-License-Identifier: Apache-2.0
//
// The namespaces that decide what a process number and a start time mean to this process.
//
// `pid` is an inode of the kernel's own file system of namespaces: two living namespaces of one
// boot never share one, but the number of a namespace that is gone is given out again. The initial
// one is there from boot to shutdown and has a fixed number.
//
// `time` names the boot clock rather than the namespace, whose inode would be given out again, too:
// it is kInitialTimeNamespace where the clock is not shifted, and otherwise a number made of the
// shift. So within one boot equal numbers mean that times and start times compare.
//
// Errors: kOsRefused, cause `no-proc`, where /proc is not mounted or does not show this process.
// Windows: everybody has the initial ones.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "os/process/pid.h"

namespace holdfast::os {

inline constexpr std::uint64_t kInitialPidNamespace = 0xEFFFFFFC;
inline constexpr std::uint64_t kInitialTimeNamespace = 0xEFFFFFFA;

struct Namespaces {
  std::uint64_t pid = 0;   // 0: the kernel has no such namespaces
  std::uint64_t time = 0;  // 0: so it was before Linux 5.6
};

Result<Namespaces> own_namespaces();

// The pid namespace that the process lives in, an ended one that was not reaped included. nullopt:
// there is no such process. Needs the rights to inspect it.
Result<std::optional<std::uint64_t>> pid_namespace_of(Pid pid);

}  // namespace holdfast::os
