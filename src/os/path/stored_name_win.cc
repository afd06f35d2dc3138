// SPDX-License-Identifier: Apache-2.0
#include "os/path/stored_name.h"

#include <optional>
#include <utility>

#include "base/path_text.h"
#include "os/file/entry_win.h"
#include "os/path/path_win.h"

namespace holdfast::os {
namespace {

constexpr int kStoredNameTries = 8;

}  // namespace

// The hostile moment: between the open and the question for its name the file is renamed, because
// an editor keeps it as `data.bak`, or somebody replaces it. The answer is then the name of another
// file, or none. So it counts only where it is a spelling of what was asked for.
Result<SafeName> stored_name(const Dir& dir, SafeName name) {
  const std::string path = dir.path_of(name);
  std::optional<Error> trouble;
  for (int tries = 0; tries < kStoredNameTries; ++tries) {
    const Opened opened =
        HF_TRY(open_itself(path, FILE_READ_ATTRIBUTES | SYNCHRONIZE, kDenyNobody));
    if (!opened.handle.valid()) {
      if (opened.code == ERROR_FILE_NOT_FOUND) return name;
      return fail(explain_open(opened, path));
    }
    if (HF_TRY(look_at_entry(opened, path)).info.type == FileType::kLink) return name;
    const auto real = final_path(opened.handle, path);
    if (!real) {
      trouble = real.error();
      continue;
    }
    trouble.reset();
    const std::string_view its = last_component(*real);
    if (same_path(its, name.str()) || same_path(its, last_component(long_path(path))))
      return SafeName::make(its);
  }
  if (trouble) return fail(*std::move(trouble));
  return name;
}

}  // namespace holdfast::os
