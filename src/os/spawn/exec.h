// SPDX-License-Identifier: Apache-2.0
//
// Becoming a command, in this process: neither call comes back unless it fails, and then this process
// is as it was.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "os/spawn/spawn.h"

namespace holdfast::os {

// For holdfast's own wrappers; without a shell.
//
// Guarantees: the program is looked for as spawn() does (program.h); the command gets `added` in
// its environment, in place of what those names had, SIGPIPE with its default action, and no
// descriptor of holdfast's.
//
// Errors: kRefused `unsafe-name` where a word holds a NUL byte, `bad-environment`. That it cannot
// be started is the answer, as for spawn().
//
// `argv`: at least the name. `added`: NAME=VALUE.
Result<StartFailure> exec_command(const std::vector<std::string>& argv,
                                  const std::vector<std::string>& added);

// For a program that stands in for another tool: with everything that this process has, environment,
// signals and descriptors.
//
// As execvp(3): a file without `#!` is given to /bin/sh, an entry of PATH that cannot be searched
// does not end the search, and "permission denied" outweighs "not found". One difference: an empty
// entry of PATH is not the current directory (program.h says why).
//
// The error has op "execute". `argv`: at least the name. Platform: Linux only.
Error exec_unchanged(const std::vector<std::string>& argv);

}  // namespace holdfast::os
