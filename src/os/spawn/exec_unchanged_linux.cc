// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/exec_unchanged.h"

#include <unistd.h>

#include <cerrno>

#include "os/spawn/env.h"
#include "os/spawn/environment_linux.h"
#include "os/spawn/exec_path.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

// Returns errno.
int try_program(const std::string& program, const std::vector<std::string>& argv) {
  sys().execve(program.c_str(), exec_words(argv).data(), environ);
  if (errno != ENOEXEC) return errno;
  constexpr const char* kShell = "/bin/sh";
  std::vector<std::string> script{kShell, program};
  script.insert(script.end(), argv.begin() + 1, argv.end());
  sys().execve(kShell, exec_words(script).data(), environ);
  return errno;
}

bool ends_search(int os_code) {
  return os_code != ENOENT && os_code != EACCES && os_code != ENOTDIR && os_code != ESTALE &&
         os_code != ENODEV && os_code != ETIMEDOUT;
}

}  // namespace

Error exec_unchanged(const std::vector<std::string>& argv) {
  int os_code = ENOENT;
  bool denied = false;
  for (const std::string& program : exec_candidates(argv.at(0), env("PATH"))) {
    os_code = try_program(program, argv);
    denied = denied || os_code == EACCES;
    if (ends_search(os_code)) return os_error("execute", argv[0], os_code);
  }
  return os_error("execute", argv[0], denied ? EACCES : os_code);
}

}  // namespace holdfast::os
