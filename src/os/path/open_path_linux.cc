// SPDX-License-Identifier: Apache-2.0
#include "os/path/open_path.h"

#include "os/process/pid.h"

namespace holdfast::os {

std::string open_path_of(const File& file) {
  return "/proc/" + std::to_string(number(own_pid())) + "/fd/" + std::to_string(file.native());
}

}  // namespace holdfast::os
