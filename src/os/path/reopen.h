// SPDX-License-Identifier: Apache-2.0
//
// Getting at a file that is open here once more: in this process, or from another one.
//
// reopen_for_reading: the same file once more, read-only, with a position of its own.
//
// A handle that a command inherits shares its position and its rights with ours; this one shares
// neither. It goes by the open file, not by its name, so it reaches a file without one
// (os/file/staged_file.h) and cannot be led to another by a rename.
//
// Errors: kOsRefused `no-proc`: it needs /proc, and there is none here or it is not the kernel's;
// else as opening the file: the mode may not let us read it. Windows: ReOpenFile.
#pragma once

#include <string>

#include "base/result.h"
#include "os/file/file.h"

namespace holdfast::os {

Result<File> reopen_for_reading(const File& file);

// open_path_of: a path by which another process can read a file that is open here, while it is.
//
// Linux: by this process and the descriptor (/proc/PID/fd/N): the file needs no name. Windows: its
// name; a stage has one there (os/file/staged_file.h).
std::string open_path_of(const File& file);

}  // namespace holdfast::os
