// SPDX-License-Identifier: Apache-2.0
#include "os/exec_program.h"

#include <unistd.h>

#include "os/os_error.h"
#include "os/sys_linux.h"

namespace holdfast::os {

Error exec_program(const std::string& path, const std::vector<std::string>& argv) {
  std::vector<char*> words;
  // execve takes pointers to mutable bytes but does not write to them.
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  sys().execve(path.c_str(), words.data(), environ);
  return last_os_error("become", path);
}

}  // namespace holdfast::os
