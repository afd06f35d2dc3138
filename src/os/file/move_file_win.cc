// SPDX-License-Identifier: Apache-2.0
//
// The thing is opened as itself and renamed through that handle, so what moves is what was looked
// at; the kernel refuses a name that is taken and another volume in the same step. (Under Wine 8
// the server looks first and renames then; there the single step is true by reading only. A link
// that only its path shows is refused there: the handle is not of the link.)
//
// The handle writes through: when it returns, the new name is on the disk (dir_win.cc).
//
// A scanner or an indexer that has it open for a moment is waited for (entry_win.h). Anybody else
// who has a directory open, or anything in it, keeps it in its place: kBusy.
#include "os/file/move_file.h"

#include "os/file/entry_win.h"
#include "os/path/path_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

Result<Placed> move_new(const Dir& from, const SafeName& name, const Dir& to,
                        const SafeName& new_name) {
  constexpr DWORD kMoveRights = DELETE | FILE_READ_ATTRIBUTES | SYNCHRONIZE;
  const std::string path = from.path_of(name);
  const std::wstring target = HF_TRY(extended_path(to.path_of(new_name)));
  std::optional<Error> fault;
  const DWORD code = with_patience([&]() -> DWORD {
    const auto opened = open_itself(path, kMoveRights, kDenyNobody, FILE_FLAG_WRITE_THROUGH);
    if (!opened) {
      fault = opened.error();
      return ERROR_SUCCESS;
    }
    if (!opened->handle.valid()) return opened->code;
    const auto looked = look_at_entry(*opened, path);
    if (!looked || looked->hidden_link) {
      fault = looked ? is_link_error(path) : looked.error();
      return ERROR_SUCCESS;
    }
    return give_name(handle_of(opened->handle), target, IfTaken::kFail) ? ERROR_SUCCESS
                                                                        : last_error();
  });
  if (fault) return fail(*std::move(fault));
  if (code == ERROR_SUCCESS) return Placed::kPlaced;
  if (is_taken(code)) return Placed::kNameTaken;
  return fail(win_error("move", path, code, "nothing has changed"));
}

}  // namespace holdfast::os
