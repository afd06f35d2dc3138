// SPDX-License-Identifier: Apache-2.0
//
// The name of an entry as its directory has it. What is derived from a name, above all the sidecar
// of a file's lock, must be the same for everybody who means the file.
//
// Windows: one file answers to `Data`, `DATA` and, where the volume makes short names, `DATA-2~1`;
// the answer is the long name in its own case. For a name that nobody has, and for a link, which is
// not followed, it is `name` itself. Linux: always `name`, since a name is its bytes there.
//
// Limits: of a file that does not exist yet, two spellings are two names until it does; on Windows
// they differ in case only, and so do the names derived from them, which are one file. Errors: see
// os_error.h; where it cannot be told.
#pragma once

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/path/safe_name.h"

namespace holdfast::os {

Result<SafeName> stored_name(const Dir& dir, SafeName name);

}  // namespace holdfast::os
