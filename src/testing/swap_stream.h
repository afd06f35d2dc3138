// SPDX-License-Identifier: Apache-2.0
//
// Another stderr for the moment, and writing to a pipe without a reader.
#pragma once

#include "os/sys/handle.h"

namespace holdfast::testing {

// From now on that is an error and no death, as in the program (os/stream/stdio.h).
void ignore_broken_pipes();

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
