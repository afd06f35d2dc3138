// SPDX-License-Identifier: Apache-2.0
//
// The exec of the first program that can be run, out of the candidates of exec_path.h; for a new
// child too: it allocates nothing and takes no lock. Calls: os/spawn/child_calls_linux.h.
//
// As in execvp, an entry that cannot be searched or is not executable does not end the search, and
// "permission denied" outweighs "not found". One thing more: ENOENT for a file that is there means
// that its interpreter is missing.
#pragma once

#include <cerrno>
#include <span>

#include "os/spawn/spawn.h"

namespace holdfast::os {

struct ProgramChoice {
  std::span<const char* const> programs;
  bool searched = false;  // along PATH
  char* const* argv = nullptr;
  char* const* environment = nullptr;
};

// Comes back only where none could be run.
template <typename Calls>
StartFailure try_programs(const ProgramChoice& choice) {
  StartFailure worst{.kind = StartFailure::Kind::kNotFound, .os_code = ENOENT};
  for (const char* program : choice.programs) {
    // Most entries of PATH do not have it, and to ask costs less than an exec that fails.
    if (choice.searched && Calls::exists(program) == -ENOENT) continue;
    const int os_code = static_cast<int>(-Calls::execve(program, choice.argv, choice.environment));
    const bool absent = os_code == ENOENT && Calls::exists(program) == -ENOENT;
    const bool go_on = os_code == ENOENT || os_code == EACCES || os_code == ENOTDIR ||
                       os_code == ESTALE || os_code == ENODEV || os_code == ETIMEDOUT;
    const bool passed_by = absent || (os_code == ENOTDIR && choice.searched);
    if (!passed_by) worst = {.kind = StartFailure::Kind::kNotExecutable, .os_code = os_code};
    if (!go_on) break;
  }
  return worst;
}

}  // namespace holdfast::os
