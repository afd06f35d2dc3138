// SPDX-License-Identifier: Apache-2.0
//
// absolute_from_here: a path that means the same from everywhere, for records and for children that
// run elsewhere.
//
// POSIX: an absolute path as it is, any other behind the working directory; nothing is tidied up,
// because `..` behind a link means what the kernel says that it means. Windows: drive, backslashes,
// no `.` and `..` (the system itself takes them away by the text there); a device or a stream is
// kRefused `unsafe-name`.
#pragma once

#include <string>

#include "base/result.h"

namespace holdfast::os {

Result<std::string> absolute_from_here(const std::string& path);

}  // namespace holdfast::os
