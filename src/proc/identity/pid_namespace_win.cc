// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/pid_namespace.h"

namespace holdfast::proc {

Result<bool> pid_namespace_is_gone(std::uint64_t) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "look for",
               .subject = "a pid namespace",
               .cause = "other-pid-namespace",
               .detail = "there are none here"});
}

}  // namespace holdfast::proc
