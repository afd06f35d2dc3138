// SPDX-License-Identifier: Apache-2.0
#include "os/path/real_path.h"

#include "os/path/path_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

Result<std::string> real_path_of(const Dir& dir) {
  // Borrowed for the one call: the Dir goes on owning it.
  Handle borrowed(dir.native());
  auto path = final_path(borrowed, dir.path());
  static_cast<void>(borrowed.release());
  return path;
}

}  // namespace holdfast::os
