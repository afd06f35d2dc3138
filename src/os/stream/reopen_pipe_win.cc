// SPDX-License-Identifier: Apache-2.0
#include "os/stream/reopen_pipe.h"

namespace holdfast::os {

// A pipe of another process cannot be opened by its number here: there is none to take over.
Result<std::optional<Handle>> reopen_pipe(Pid /*pid*/, const Handle& /*pidfd*/,
                                          int /*descriptor*/) {
  return std::optional<Handle>();
}

}  // namespace holdfast::os
