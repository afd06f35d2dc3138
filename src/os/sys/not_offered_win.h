// SPDX-License-Identifier: Apache-2.0
//
// The answer to what Windows has no notion of; for src/os/*/*_win.cc only.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace holdfast::os {

// kOsRefused `unsupported`.
inline Error not_offered(std::string_view op, std::string_view subject, std::string_view why) {
  return {.code = ErrorCode::kOsRefused,
          .op = std::string(op),
          .subject = std::string(subject),
          .cause = "unsupported",
          .detail = std::string(why)};
}

}  // namespace holdfast::os
