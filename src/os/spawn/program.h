// SPDX-License-Identifier: Apache-2.0
//
// Where this program itself lies, so that its helper executables are found beside it.
//
// The path comes from the kernel, not from argv[0] or PATH: neither a link nor a caller's PATH can
// make holdfast start somebody else's helper.
#pragma once

#include <string>

#include "base/result.h"

namespace holdfast::os {

// The absolute path of the running executable, links resolved. kCannotTell: `program-replaced`,
// `program-path-too-long`.
Result<std::string> own_program_path();

// Is there an executable regular file at `path`? "Cannot tell" is an error, not no. On Windows the
// ending `.exe` or `.com` makes a file executable.
Result<bool> is_executable_file(const std::string& path);

}  // namespace holdfast::os
