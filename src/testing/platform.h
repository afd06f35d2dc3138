// SPDX-License-Identifier: Apache-2.0
//
// What tests ask of the platform: links, variables, another stderr.
#pragma once

#include <string>

#include "os/sys/handle.h"

namespace holdfast::testing {

// False where the platform makes none, and under Wine for one that leads nowhere. What os says of
// the link is not asked: that is what is tested.
[[nodiscard]] bool make_dir_link(const std::string& target, const std::string& link);
[[nodiscard]] bool make_file_link(const std::string& target, const std::string& link);

// Before a directory is removed with all that is in it: under Wine the links that were made above
// can be removed by nothing but a Unix program. Elsewhere it does nothing.
void remove_links_below(const std::string& path);

// ScopedEnv: a variable of this test program's own environment, for as long as it lives. Afterwards
// it is unset: take a name that nobody else uses.
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

// Writing to a pipe without a reader: from now on that is an error and no death, as in the program (os/stream/stdio.h).
void ignore_broken_pipes();

// Another stderr for the moment.
class SwappedStderr {
 public:
  explicit SwappedStderr(const os::Handle& instead);
  ~SwappedStderr();
  SwappedStderr(const SwappedStderr&) = delete;
  SwappedStderr& operator=(const SwappedStderr&) = delete;

 private:
  os::NativeHandle before_;
};

}  // namespace holdfast::testing
