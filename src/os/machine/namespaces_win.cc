// SPDX-License-Identifier: Apache-2.0
#include "os/machine/namespaces.h"

namespace holdfast::os {

// There is one set of process numbers and one count of time for everybody on the machine, which is
// what the initial namespaces are on Linux.
Result<Namespaces> own_namespaces() {
  return Namespaces{.pid = kInitialPidNamespace, .time = kInitialTimeNamespace};
}

Result<std::optional<std::uint64_t>> pid_namespace_of(Pid) {
  return std::optional(kInitialPidNamespace);
}

}  // namespace holdfast::os
