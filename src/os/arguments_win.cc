// SPDX-License-Identifier: Apache-2.0
#include "os/arguments.h"

#include "os/security_win.h"
#include "os/sys_win.h"
#include "os/wide_win.h"

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
