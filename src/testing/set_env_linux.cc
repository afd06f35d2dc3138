// SPDX-License-Identifier: Apache-2.0
#include "testing/set_env.h"

#include <cstdlib>

namespace holdfast::testing {

ScopedEnv::ScopedEnv(std::string name, const std::string& value) : name_(std::move(name)) {
  if (::setenv(name_.c_str(), value.c_str(), 1) != 0) std::abort();
}

ScopedEnv::~ScopedEnv() { ::unsetenv(name_.c_str()); }

}  // namespace holdfast::testing
