// SPDX-License-Identifier: Apache-2.0
#include "os/path/working_dir.h"

#include "os/path/path_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

Result<std::string> working_dir() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length = sys().GetCurrentDirectoryW(static_cast<DWORD>(path.size()), path.data());
    if (length == 0) return fail(last_os_error("find", "the working directory"));
    const bool fits = length < path.size();
    path.resize(length);
    if (fits) return plain_path(path);
  }
}

}  // namespace holdfast::os
