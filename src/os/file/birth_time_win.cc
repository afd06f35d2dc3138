// SPDX-License-Identifier: Apache-2.0
//
// NTFS keeps the creation time over renames, and it can be set by who may write attributes: it
// tells apart what an accident mixed up, as on Linux, and is no proof against the owner himself.
// Two directories of one name made within 15 s of each other may share it (tunnelling); the file
// number, which is compared too, does not come back so soon.
//
// Wine 8 makes it up from the Unix times of the directory, which change with every entry that is
// made in it. A time that moves is worse than none, so there the answer is "not told": Wine is
// known by the function that only its ntdll has.
#include "os/file/birth_time.h"

#include "os/sys/native_win.h"

namespace holdfast::os {

Result<std::int64_t> birth_time_of(const Dir& dir) {
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(reinterpret_cast<HANDLE>(dir.native()), &info) == FALSE) {
    return fail(last_os_error("look at", dir.path()));
  }
  if (under_wine()) return 0;
  return to_wall(info.ftCreationTime).time_since_epoch().count();
}

}  // namespace holdfast::os
