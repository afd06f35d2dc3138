// SPDX-License-Identifier: Apache-2.0
#include "os/path/absolute.h"

#include "os/path/path_win.h"

namespace holdfast::os {

Result<std::string> absolute_from_here(const std::string& path) { return absolute_path(path); }

}  // namespace holdfast::os
