// SPDX-License-Identifier: Apache-2.0
//
// Becoming a command with everything that this process has: environment, signals, descriptors. For
// a program that stands in for another tool; holdfast's own wrappers use spawn() and
// exec_command(), which clean up first.
//
// As execvp(3): a file without `#!` is given to /bin/sh, an entry of PATH that cannot be searched
// does not end the search, and "permission denied" outweighs "not found". One difference: an empty
// entry of PATH is not the current directory (exec_path.h says why).
//
// It comes back only where it fails, with op "execute"; then this process is as it was.
// Platform: Linux only.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace holdfast::os {

// `argv`: at least the name.
Error exec_unchanged(const std::vector<std::string>& argv);

}  // namespace holdfast::os
