// SPDX-License-Identifier: Apache-2.0
//
// open_path_of: a path by which another process can read a file that is open here, while it is.
//
// Linux: by this process and the descriptor (/proc/PID/fd/N): the file needs no name. Windows: its
// name; a stage has one there (os/file/staged_file.h).
#pragma once

#include <string>

#include "os/file/file.h"

namespace holdfast::os {

std::string open_path_of(const File& file);

}  // namespace holdfast::os
