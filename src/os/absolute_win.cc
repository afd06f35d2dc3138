// SPDX-License-Identifier: Apache-2.0
#include "os/absolute.h"

#include "os/path_win.h"

namespace holdfast::os {

Result<std::string> absolute_from_here(const std::string& path) { return absolute_path(path); }

}  // namespace holdfast::os
