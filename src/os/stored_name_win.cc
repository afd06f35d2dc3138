// SPDX-License-Identifier: Apache-2.0
#include "os/stored_name.h"

#include "base/path_text.h"
#include "os/entry_win.h"
#include "os/path_win.h"

namespace holdfast::os {

Result<SafeName> stored_name(const Dir& dir, SafeName name) {
  const std::string path = dir.path_of(name);
  const Opened opened = HF_TRY(open_itself(path, FILE_READ_ATTRIBUTES | SYNCHRONIZE, kDenyNobody));
  if (!opened.handle.valid()) {
    if (opened.code == ERROR_FILE_NOT_FOUND) return name;
    return fail(explain_open(opened, path));
  }
  if (HF_TRY(look_at_entry(opened, path)).info.type == FileType::kLink) return name;
  const std::string real = HF_TRY(final_path(opened.handle, path));
  return SafeName::make(last_component(real));
}

}  // namespace holdfast::os
