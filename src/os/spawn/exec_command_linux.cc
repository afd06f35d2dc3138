// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/exec_command.h"

#include "os/path/safe_name.h"
#include "os/spawn/child_calls_linux.h"
#include "os/spawn/env.h"
#include "os/spawn/environment_linux.h"
#include "os/spawn/exec_path.h"
#include "os/spawn/try_programs_linux.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

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

}  // namespace holdfast::os
