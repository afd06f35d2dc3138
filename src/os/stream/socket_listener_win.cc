// SPDX-License-Identifier: Apache-2.0
#include "os/stream/socket_listener.h"

namespace holdfast::os {

Result<Pid> listener_of(const std::string& path) {
  return fail({.code = ErrorCode::kRefused,
               .op = "ask who listens at",
               .subject = path,
               .cause = "unsupported",
               .detail = "Windows does not say who is at the other end of a socket"});
}

}  // namespace holdfast::os
