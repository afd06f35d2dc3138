// SPDX-License-Identifier: Apache-2.0
#include "os/try_programs_linux.h"

#include <cerrno>

#include "os/sys_linux.h"

namespace holdfast::os {

StartFailure try_programs(const ProgramChoice& choice) {
  StartFailure worst{.kind = StartFailure::Kind::kNotFound, .os_code = ENOENT};
  for (const char* program : choice.programs) {
    sys().execve(program, choice.argv, choice.environment);
    const int os_code = errno;
    const bool absent =
        os_code == ENOENT && sys().faccessat(AT_FDCWD, program, F_OK, 0) != 0 && errno == ENOENT;
    const bool go_on = os_code == ENOENT || os_code == EACCES || os_code == ENOTDIR ||
                       os_code == ESTALE || os_code == ENODEV || os_code == ETIMEDOUT;
    const bool passed_by = absent || (os_code == ENOTDIR && choice.searched);
    if (!passed_by) worst = {.kind = StartFailure::Kind::kNotExecutable, .os_code = os_code};
    if (!go_on) break;
  }
  return worst;
}

}  // namespace holdfast::os
