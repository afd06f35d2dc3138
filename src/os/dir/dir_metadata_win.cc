// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_metadata.h"

#include "os/file/access_list_win.h"
#include "os/file/entry_win.h"
#include "os/path/path_win.h"

namespace holdfast::os {

Result<> set_owner(const Dir& dir, std::uint32_t, std::uint32_t) {
  return fail({.code = ErrorCode::kRefused,
               .op = "set the owner by number of",
               .subject = dir.path(),
               .cause = "unsupported",
               .detail = "users have no numbers on Windows; nothing was changed"});
}

Result<> set_mode(const Dir& dir, std::uint32_t mode) {
  return set_access_for_mode(reinterpret_cast<HANDLE>(dir.native()), mode, dir.path());
}

// There is nothing but the list.
Result<bool> has_access_list(const Dir&) { return true; }
Result<bool> has_access_list(const File&) { return true; }

Result<> check_may_create(const Dir& dir) {
  constexpr DWORD kMaking = FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY | SYNCHRONIZE;
  const Opened opened = HF_TRY(open_itself(dir.path(), kMaking, kDenyNobody));
  if (opened.handle.valid()) return {};
  return fail(win_error("create something in", dir.path(), opened.code, "nothing was created"));
}

}  // namespace holdfast::os
