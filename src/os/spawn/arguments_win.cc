// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/arguments.h"

#include "os/file/security_win.h"
#include "os/path/wide_win.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {

std::vector<std::string> program_arguments(int argc, char** argv) {
  int count = 0;
  wchar_t** const words = sys().CommandLineToArgvW(sys().GetCommandLineW(), &count);
  if (words == nullptr) return {argv, argv + argc};
  const LocalMemory owner(words);
  std::vector<std::string> result;
  result.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) result.push_back(from_wide(words[i]));
  return result;
}

}  // namespace holdfast::os
