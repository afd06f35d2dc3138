// SPDX-License-Identifier: Apache-2.0
#include "os/exec_program.h"

namespace holdfast::os {

Error exec_program(const std::string& path, const std::vector<std::string>& /*argv*/) {
  return {.code = ErrorCode::kRefused,
          .op = "become",
          .subject = path,
          .cause = "unsupported",
          .detail = "a process cannot become another program here"};
}

}  // namespace holdfast::os
