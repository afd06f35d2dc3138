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
#include "os/dir/dir_names.h"

#include <algorithm>

#include "os/file/entry_win.h"
#include "os/path/path_win.h"
#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kUnprivileged = 2;  // SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE

bool leads_to_directory(const Dir& dir, const std::string& target) {
  const bool absolute = target.starts_with('/') || target.find(':') != std::string::npos;
  const auto full = absolute_path(absolute ? target : dir.path() + "/" + target);
  const auto wide = full ? extended_path(*full) : fail(full.error());
  if (!wide) return false;
  const DWORD attributes = sys().GetFileAttributesW(wide->c_str());
  return attributes != kNoAttributes && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

}  // namespace

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

// Windows has two kinds of symbolic links, and the maker must know whether the target is a
// directory: so, unlike on Linux, it is looked at; what is not there (yet) is taken for a file.
// Making one needs developer mode or a privilege: `eperm` without.
//
// Wine 8 answers yes and makes nothing. What is not there afterwards was not made: `unsupported`.
Result<Placed> make_link(const Dir& dir, const SafeName& name, const std::string& target) {
  HF_TRY(check_path_text(target));
  const std::string path = dir.path_of(name);
  const std::wstring wide = HF_TRY(extended_path(path));
  std::wstring text = HF_TRY(to_wide(target));
  std::ranges::replace(text, L'/', L'\\');
  if (sys().GetFileAttributesW(wide.c_str()) != kNoAttributes) return Placed::kNameTaken;
  const DWORD kind =
      leads_to_directory(dir, target) ? DWORD{SYMBOLIC_LINK_FLAG_DIRECTORY} : DWORD{0};
  if (sys().CreateSymbolicLinkW(wide.c_str(), text.c_str(), kind | kUnprivileged) == 0) {
    if (is_taken(last_error())) return Placed::kNameTaken;
    return fail(last_os_error("make the link", path, "nothing was created"));
  }
  if (sys().GetFileAttributesW(wide.c_str()) != kNoAttributes) return Placed::kPlaced;
  return fail({.code = ErrorCode::kRefused,
               .op = "make the link",
               .subject = path,
               .cause = "unsupported",
               .detail = "the system said that it was made, and it is not there"});
}

}  // namespace holdfast::os
