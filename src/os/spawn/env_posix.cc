// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/env.h"

#include <cstdlib>

namespace holdfast::os {

std::optional<std::string> env(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::vector<std::string> program_arguments(int argc, char** argv) { return {argv, argv + argc}; }

}  // namespace holdfast::os
