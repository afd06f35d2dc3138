// SPDX-License-Identifier: Apache-2.0
#include "os/path/open_path.h"

namespace holdfast::os {

std::string open_path_of(const File& file) { return file.path(); }

}  // namespace holdfast::os
