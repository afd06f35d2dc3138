// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/exec.h"

#include <unistd.h>

#include <cerrno>

#include "os/path/safe_name.h"
#include "os/spawn/child_calls_linux.h"
#include "os/spawn/child_plan_linux.h"
#include "os/spawn/env.h"
#include "os/spawn/program.h"
#include "os/spawn/run_child_linux.h"
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

Result<StartFailure> exec_command(const std::vector<std::string>& argv,
                                  const std::vector<std::string>& added) {
  for (const std::string& word : argv) HF_TRY(check_path_text(word));
  HF_TRY(check_environment(added));
  const std::vector<std::string> candidates = exec_candidates(argv.at(0), env("PATH"));
  std::vector<const char*> programs;
  for (const std::string& candidate : candidates) programs.push_back(candidate.c_str());
  const std::vector<char*> words = exec_words(argv);
  const std::vector<char*> environment = environment_with(added);

  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  struct sigaction before{};
  if (sys().sigaction(SIGPIPE, &plain, &before) != 0 ||
      sys().sigaction(SIGXFSZ, &plain, nullptr) != 0) {
    return StartFailure{.os_code = errno};
  }
  const StartFailure failure =
      try_programs<TableCalls>({.programs = programs,
                                .searched = argv[0].find('/') == std::string::npos,
                                .argv = words.data(),
                                .environment = environment.data()});
  sys().sigaction(SIGPIPE, &before, nullptr);
  sys().sigaction(SIGXFSZ, &before, nullptr);
  return failure;
}

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
