// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/exec_unchanged.h"

namespace holdfast::os {

Error exec_unchanged(const std::vector<std::string>& argv) {
  return {.code = ErrorCode::kRefused,
          .op = "execute",
          .subject = "'" + argv.at(0) + "'",
          .cause = "unsupported",
          .detail = "a process cannot become another program here"};
}

}  // namespace holdfast::os
