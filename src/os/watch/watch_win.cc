// SPDX-License-Identifier: Apache-2.0
#include "os/watch/watch.h"

#include "os/path/path_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

// The directory is watched by its path: nobody can put another one there meanwhile, since a Dir
// keeps its directory from being renamed or removed (dir_win.cc).
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

// Windows watches directories. The one in which the file lies is taken from the file's handle, and
// any change of an entry in it makes the handle ready.
Result<Handle> watch_file(const File& file) {
  constexpr DWORD kWhat = FILE_NOTIFY_CHANGE_FILE_NAME | FILE_NOTIFY_CHANGE_ATTRIBUTES |
                          FILE_NOTIFY_CHANGE_SIZE | FILE_NOTIFY_CHANGE_LAST_WRITE;
  constexpr const char* kWatch = "watch";
  HANDLE copy = nullptr;  // final_path wants an owner
  const HANDLE self = sys().GetCurrentProcess();
  if (sys().DuplicateHandle(self, reinterpret_cast<HANDLE>(file.native()), self, &copy, 0, FALSE,
                            DUPLICATE_SAME_ACCESS) == FALSE) {
    return fail(last_os_error(kWatch, file.path()));
  }
  const Handle same = own(copy);
  auto path = final_path(same, file.path());
  if (!path) return fail(std::move(path).error());
  const std::size_t end = path->rfind('\\');
  if (end == std::string::npos) return fail(win_error(kWatch, file.path(), ERROR_PATH_NOT_FOUND));
  auto directory = extended_path(path->substr(0, end + 1));
  if (!directory) return fail(std::move(directory).error());
  Handle watch = own(sys().FindFirstChangeNotificationW(directory->c_str(), FALSE, kWhat));
  if (!watch.valid()) return fail(last_os_error(kWatch, file.path()));
  return watch;
}

Result<ChangeWatch> ChangeWatch::on(const Handle& /*file*/) {
  return fail(not_offered("watch", "a control file", "Windows has no control groups"));
}

}  // namespace holdfast::os
