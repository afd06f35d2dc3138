// SPDX-License-Identifier: Apache-2.0
//
// The directory is watched by its path: nobody can put another one there meanwhile, since a Dir
// keeps its directory from being renamed or removed (dir_win.cc).
#include "os/watch/dir_watch.h"

#include "os/path/path_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

Result<DirWatch> DirWatch::open(const Dir& dir) {
  const std::string absolute = HF_TRY(absolute_path(dir.path()));
  const std::wstring path = HF_TRY(extended_path(absolute));
  constexpr DWORD kWhat = FILE_NOTIFY_CHANGE_FILE_NAME | FILE_NOTIFY_CHANGE_DIR_NAME |
                          FILE_NOTIFY_CHANGE_SIZE | FILE_NOTIFY_CHANGE_LAST_WRITE;
  // It is closed with CloseHandle, as every Handle: what FindCloseChangeNotification does, too.
  Handle watch = own(sys().FindFirstChangeNotificationW(path.c_str(), FALSE, kWhat));
  if (!watch.valid()) return fail(last_os_error("watch", dir.path()));
  return DirWatch(std::move(watch));
}

Result<> DirWatch::drain() {
  const DWORD answer = sys().WaitForSingleObject(handle_of(handle_), 0);
  if (answer == WAIT_TIMEOUT) return {};
  if (answer != WAIT_OBJECT_0) return fail(last_os_error("watch", "a directory"));
  if (sys().FindNextChangeNotification(handle_of(handle_)) == FALSE) {
    return fail(last_os_error("watch", "a directory"));
  }
  return {};
}

}  // namespace holdfast::os
