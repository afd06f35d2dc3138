// SPDX-License-Identifier: Apache-2.0
//
// The exec of the first program that can be run, out of the candidates of exec_path.h; for use
// after a fork too: it allocates nothing and takes no lock.
//
// As in execvp, an entry that cannot be searched or is not executable does not end the search, and
// "permission denied" outweighs "not found". One thing more: ENOENT for a file that is there means
// that its interpreter is missing.
#pragma once

#include <span>

#include "os/spawn.h"

namespace holdfast::os {

struct ProgramChoice {
  std::span<const char* const> programs;
  bool searched = false;  // along PATH
  char* const* argv = nullptr;
  char* const* environment = nullptr;
};

// Comes back only where none could be run.
StartFailure try_programs(const ProgramChoice& choice);

}  // namespace holdfast::os
