// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_metadata.h"

#include "os/file/entry_win.h"
#include "os/file/security_win.h"
#include "os/path/path_win.h"
#include "os/sys/native_win.h"

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

// NTFS keeps the creation time over renames, and it can be set by who may write attributes: it
// tells apart what an accident mixed up, as on Linux, and is no proof against the owner himself.
// Two directories of one name made within 15 s of each other may share it (tunnelling); the file
// number, which is compared too, does not come back so soon.
//
// Wine 8 makes it up from the Unix times of the directory, which change with every entry that is
// made in it. A time that moves is worse than none, so there the answer is "not told": Wine is
// known by the function that only its ntdll has.

Result<std::int64_t> birth_time_of(const Dir& dir) {
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(reinterpret_cast<HANDLE>(dir.native()), &info) == FALSE) {
    return fail(last_os_error("look at", dir.path()));
  }
  if (under_wine()) return 0;
  return to_wall(info.ftCreationTime).time_since_epoch().count();
}

bool offers_marks() { return false; }

Result<Marked> put_mark(const Dir& /*dir*/, std::string_view /*bytes*/) {
  return Marked::kNotOffered;
}

Result<std::optional<std::string>> mark_of(const Dir& /*dir*/) { return std::nullopt; }

Result<> remove_mark(const Dir& /*dir*/) { return {}; }

}  // namespace holdfast::os
