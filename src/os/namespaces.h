// SPDX-License-Identifier: Apache-2.0
//
// The namespaces that decide what a process number and a start time mean to this process.
//
// The numbers are inodes of the kernel's own file system of namespaces: two living namespaces of
// one boot never share one, but the number of a namespace that is gone is given out again. The
// initial ones are there from boot to shutdown and have fixed numbers.
//
// Errors: kOsRefused, cause `no-proc`, where /proc is not mounted or does not show this process.
// Windows: everybody has the initial ones.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "os/pid.h"

namespace holdfast::os {

inline constexpr std::uint64_t kInitialPidNamespace = 0xEFFFFFFC;
inline constexpr std::uint64_t kInitialTimeNamespace = 0xEFFFFFFA;

struct Namespaces {
  std::uint64_t pid = 0;   // 0: the kernel has no such namespaces
  std::uint64_t time = 0;  // (time: before 5.6)
};

Result<Namespaces> own_namespaces();

// The pid namespace that the process lives in, an ended one that was not reaped included. nullopt:
// there is no such process. Needs the rights to inspect it.
Result<std::optional<std::uint64_t>> pid_namespace_of(Pid pid);

}  // namespace holdfast::os
