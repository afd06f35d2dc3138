// SPDX-License-Identifier: Apache-2.0
#include "os/path/reopen.h"

#include "os/sys/native_win.h"

namespace holdfast::os {

Result<File> reopen_for_reading(const File& file) {
  Handle handle = own(sys().ReOpenFile(reinterpret_cast<HANDLE>(file.native()), kReadRights,
                                       kDenyNobody, FILE_FLAG_BACKUP_SEMANTICS));
  if (!handle.valid()) return fail(last_os_error("open once more", file.path()));
  File again(std::move(handle), file.path());
  const FileInfo expected = HF_TRY(file.info());
  const FileInfo found = HF_TRY(again.info());
  if (found.id == expected.id) return again;
  return fail(win_error("open once more", file.path(), ERROR_INVALID_HANDLE));
}

std::string open_path_of(const File& file) { return file.path(); }

}  // namespace holdfast::os
