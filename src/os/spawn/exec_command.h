// SPDX-License-Identifier: Apache-2.0
//
// Becoming a command, in this process, without a shell: it does not come back unless it fails.
//
// Guarantees: the program is looked for as spawn() does (exec_path.h); the command gets `added` in
// its environment, in place of what those names had, SIGPIPE with its default action, and no
// descriptor of holdfast's. After a failure this process is as it was.
//
// Errors: kRefused `unsafe-name` where a word holds a NUL byte, `bad-environment`. That it cannot
// be started is the answer, as for spawn().
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "os/spawn/spawn.h"

namespace holdfast::os {

// `argv`: at least the name. `added`: NAME=VALUE.
Result<StartFailure> exec_command(const std::vector<std::string>& argv,
                                  const std::vector<std::string>& added);

}  // namespace holdfast::os
