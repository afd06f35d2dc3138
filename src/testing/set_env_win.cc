// SPDX-License-Identifier: Apache-2.0
#include "testing/set_env.h"

#include <windows.h>

#include <cstdlib>

namespace holdfast::testing {

ScopedEnv::ScopedEnv(std::string name, const std::string& value) : name_(std::move(name)) {
  if (::SetEnvironmentVariableA(name_.c_str(), value.c_str()) == FALSE) std::abort();
}

ScopedEnv::~ScopedEnv() { ::SetEnvironmentVariableA(name_.c_str(), nullptr); }

}  // namespace holdfast::testing
