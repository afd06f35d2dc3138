// SPDX-License-Identifier: Apache-2.0
#include "os/path/absolute.h"

#include "os/path/working_dir.h"

namespace holdfast::os {

Result<std::string> absolute_from_here(const std::string& path) {
  if (path.starts_with('/')) return path;
  return HF_TRY(working_dir()) + "/" + path;
}

}  // namespace holdfast::os
