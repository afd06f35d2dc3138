// SPDX-License-Identifier: Apache-2.0
//
// ScopedEnv: a variable of this test program's own environment, for as long as it lives. Afterwards
// it is unset: take a name that nobody else uses.
#pragma once

#include <string>

namespace holdfast::testing {

class ScopedEnv {
 public:
  // `name` is ASCII and so is `value`, which may be empty: set all the same. Aborts where it
  // cannot.
  ScopedEnv(std::string name, const std::string& value);
  ~ScopedEnv();
  ScopedEnv(const ScopedEnv&) = delete;
  ScopedEnv& operator=(const ScopedEnv&) = delete;

 private:
  std::string name_;
};

}  // namespace holdfast::testing
