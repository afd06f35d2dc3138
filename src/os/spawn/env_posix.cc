// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/env.h"

#include <cstdlib>

namespace holdfast::os {

std::optional<std::string> env(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

}  // namespace holdfast::os
