// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/env.h"

#include <cstdlib>

#include "os/file/security_win.h"
#include "os/path/wide_win.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {

std::optional<std::string> env(const char* name) {
  const auto wide_name = to_wide(name);
  if (!wide_name) return std::nullopt;  // no variable has a name that is not text
  std::wstring value(128, L'\0');
  for (;;) {
    // An empty value has length 0 too: only the error tells it from an unset one.
    set_last_error(ERROR_SUCCESS);
    const DWORD length = sys().GetEnvironmentVariableW(wide_name->c_str(), value.data(),
                                                       static_cast<DWORD>(value.size()));
    const DWORD code = length == 0 ? last_error() : ERROR_SUCCESS;
    if (code == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
    if (code != ERROR_SUCCESS) {
      // Not documented to happen. Read as "unset" it could choose another home.
      std::abort();  // lint: no_output a variable that cannot be read is neither set nor unset
    }
    const bool fits = length < value.size();
    value.resize(length);
    if (fits) return from_wide(value);
  }
}

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
