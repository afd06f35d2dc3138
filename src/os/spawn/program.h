// SPDX-License-Identifier: Apache-2.0
//
// Where programs lie: this one, and those that a command names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::os {

// The absolute path of the running executable, links resolved: on Windows, which has no fork, it is
// started once more. It comes from the kernel, not from argv[0] or PATH: neither a link nor a caller's
// PATH can make holdfast start somebody else's program. kCannotTell: `program-replaced`,
// `program-path-too-long`.
Result<std::string> own_program_path();

// Where a command's program is looked for; pure, so that nothing is searched after a fork.
//
// A name with a '/' is used as it is. Any other is tried in each entry of PATH, in order. Unlike
// execvp, an *empty* entry (":/usr/bin", "/bin::/usr/bin", a trailing ':') is skipped and does not
// mean the current directory: an agent's working directory is often somebody else's repository, and
// a forgotten colon must not run a program from it. Who wants that writes `.` into PATH or a '/'
// into the name. Without PATH the search is /bin, then /usr/bin, as in glibc.
//
// The paths to try, in order; none: there is nothing to try, the command is not found.
std::vector<std::string> exec_candidates(std::string_view name,
                                         const std::optional<std::string>& path);

}  // namespace holdfast::os
