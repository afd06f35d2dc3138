// SPDX-License-Identifier: Apache-2.0
#include "os/process/pid.h"
#include "proc/identity/identity.h"
#include "runtime/writer_id.h"

namespace holdfast {

std::string writer_id() {
  std::string pid = std::to_string(os::number(os::own_pid()));
  const auto self = proc::own_identity();
  return self ? pid + "." + std::to_string(self->start) : pid;
}

}  // namespace holdfast
