// SPDX-License-Identifier: Apache-2.0
//
// Working below a directory without following links, where every call goes by path.
//
// The hostile case is that of dir_linux.cc: a component is swapped for a junction between the check
// and the use. Here the answer is to open first and to check the open thing afterwards:
//
//   - A Dir is opened as the thing itself (FILE_FLAG_OPEN_REPARSE_POINT) without sharing deletion.
//     From then on nobody can rename or remove it, nor, on NTFS, any directory above it: a path
//     below an open Dir leads to that Dir. Removing a directory that is open anywhere is therefore
//     kBusy, unlike on Linux.
//   - Every other thing is opened as itself too; that the handle is no reparse point is checked on
//     the handle, and removal and renaming go through that checked handle.
//   - Wine 8 always opens what a link leads to; entry_win.h has the second look that it needs.
//
// A name that is not there is ERROR_FILE_NOT_FOUND. ERROR_PATH_NOT_FOUND says that the way to the
// directory is gone and stays an error.
#include "os/dir/dir.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/cause.h"
#include "os/file/entry_win.h"
#include "os/file/security_win.h"
#include "os/machine/random.h"
#include "os/path/path_win.h"
#include "os/path/wide_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kListRights =
    FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES | READ_CONTROL | SYNCHRONIZE;
constexpr DWORD kLookRights = FILE_READ_ATTRIBUTES | SYNCHRONIZE;
constexpr DWORD kRemoveRights = DELETE | FILE_READ_ATTRIBUTES | SYNCHRONIZE;

Error dir_refused(std::string_view path, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "open",
          .subject = std::string(path),
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

// A Dir denies deletion, so it cannot be opened while somebody has a handle that may delete.
// Whoever has one gives the directory its name or removes it: of eight who make the same directory,
// the fastest still has it when the others open what they found. That passes by itself, and is
// waited for; a handle that is kept for longer than patience lasts is kBusy.
Result<Opened> open_denying_delete(const std::string& path, DWORD flags) {
  Opened opened{.handle = {}, .wide = HF_TRY(extended_path(path))};
  Patience patience;
  do {
    opened.handle = own(sys().CreateFileW(opened.wide.c_str(), kListRights, kDenyDelete, nullptr,
                                          OPEN_EXISTING, flags, nullptr));
    opened.code = opened.handle.valid() ? ERROR_SUCCESS : last_error();
  } while (opened.code == ERROR_SHARING_VIOLATION && patience.wait());
  return opened;
}

Result<Handle> open_directory(const std::string& path) {
  Opened opened = HF_TRY(open_denying_delete(path, kOpenLinkItself));
  if (!opened.handle.valid()) return fail(explain_open(opened, path));
  const Looked looked = HF_TRY(look_at_entry(opened, path));
  if (looked.info.type == FileType::kLink) return fail(is_link_error(path));
  if (looked.info.type != FileType::kDirectory) {
    return fail(dir_refused(path, cause::kNotADirectory, "it is not a directory"));
  }
  return std::move(opened.handle);
}

// ERROR_SUCCESS, or why not. With patience for what has the file open for a moment: a scanner that
// looks at every new file, or, where the system has no POSIX semantics of renaming, a reader of the
// file that is to be replaced. Directories are not waited for: who has one open keeps it.
// The handle writes through, which is what MoveFileExW does with MOVEFILE_WRITE_THROUGH: the call
// does not return before the new name is on the disk.
Result<DWORD> rename_entry(const std::string& from, const std::string& to, IfTaken if_taken) {
  const std::wstring wide = HF_TRY(extended_path(to));
  Patience patience;
  for (;;) {
    const Opened opened =
        HF_TRY(open_itself(from, kRemoveRights, kDenyNobody, FILE_FLAG_WRITE_THROUGH));
    DWORD code = opened.code;
    bool is_directory = false;
    if (opened.handle.valid()) {
      const Looked looked = HF_TRY(look_at_entry(opened, from));
      if (looked.hidden_link) return fail(is_link_error(from));
      is_directory = looked.info.type == FileType::kDirectory;
      if (give_name(handle_of(opened.handle), wide, if_taken)) return ERROR_SUCCESS;
      code = last_error();
    } else {
      const DWORD by_path = sys().GetFileAttributesW(opened.wide.c_str());
      is_directory = by_path != kNoAttributes && (by_path & FILE_ATTRIBUTE_DIRECTORY) != 0;
    }
    const bool passing = if_taken == IfTaken::kReplace
                             ? is_passing(code)
                             : code == ERROR_SHARING_VIOLATION || code == ERROR_LOCK_VIOLATION;
    if (is_directory || !passing || !patience.wait()) return code;
  }
}

// Of a rename over a file that cannot be: somebody has it open, which is not a matter of rights.
DWORD why_not_replaced(const std::string& path, DWORD code) {
  if (code != ERROR_ACCESS_DENIED) return code;
  const auto opened = open_itself(path, kRemoveRights, 0);
  return opened && opened->code == ERROR_SHARING_VIOLATION ? opened->code : code;
}

// `as_directory` says what the caller takes the thing for.
Result<Removed> remove_entry(const std::string& path, bool as_directory) {
  const Opened opened = HF_TRY(open_itself(path, kRemoveRights, kDenyNobody));
  if (!opened.handle.valid()) {
    if (opened.code == ERROR_FILE_NOT_FOUND) return Removed::kNotThere;
    return fail(win_error("remove", path, opened.code));
  }
  const Looked looked = HF_TRY(look_at_entry(opened, path));
  if (looked.hidden_link) return fail(is_link_error(path));
  const bool is_directory = looked.info.type == FileType::kDirectory;
  if (is_directory != as_directory) {
    return fail(win_error("remove", path, as_directory ? ERROR_DIRECTORY : kErrorIsDirectory));
  }
  if (!mark_for_removal(handle_of(opened.handle))) return fail(last_os_error("remove", path));
  return Removed::kRemoved;
}

}  // namespace

Result<Dir> Dir::open(const std::string& path) {
  std::string absolute = HF_TRY(absolute_path(path));
  Handle handle = HF_TRY(open_directory(absolute));
  return Dir(std::move(handle), std::move(absolute));
}

Result<Dir> Dir::open_following_links(const std::string& path) {
  const std::string absolute = HF_TRY(absolute_path(path));
  Opened opened = HF_TRY(open_denying_delete(absolute, FILE_FLAG_BACKUP_SEMANTICS));
  if (!opened.handle.valid()) return fail(win_error("open", path, opened.code));
  // By its own path from here on: the link that led here may be turned elsewhere.
  Dir dir(std::move(opened.handle), {});
  dir.path_ = HF_TRY(final_path(dir.handle_, path));
  if (HF_TRY(dir.info()).type != FileType::kDirectory) {
    return fail(dir_refused(path, cause::kNotADirectory, "it is not a directory"));
  }
  return dir;
}

Result<Dir> Dir::open_without_links(const std::string& path) {
  Dir dir = HF_TRY(open(path));
  // Where a link leads through, the real path is another one.
  const std::string real = HF_TRY(final_path(dir.handle_, path));
  if (same_path(real, dir.path_) || same_path(real, long_path(dir.path_))) return dir;
  const auto link = first_link_on(dir.path_);
  return fail(is_link_error(!link || link->empty() ? path : *link));
}

Result<Dir> Dir::open_to_search(const std::string& path) { return open_without_links(path); }

std::string Dir::path_of(const SafeName& name) const {
  return path_.ends_with('\\') ? path_ + name.str() : path_ + "\\" + name.str();
}

Result<Dir> Dir::open_dir(const SafeName& name) const {
  Handle handle = HF_TRY(open_directory(path_of(name)));
  return Dir(std::move(handle), path_of(name));
}

Result<Dir> Dir::open_dir_beneath(std::string_view relative) const {
  std::vector<SafeName> components;
  for (std::size_t start = 0; start <= relative.size();) {
    const std::size_t end = std::min(relative.find('/', start), relative.size());
    components.push_back(HF_TRY(SafeName::make(relative.substr(start, end - start))));
    start = end + 1;
  }
  // Each step is held open, and thereby in its place, until the next one is.
  Dir step = HF_TRY(open_dir(components.front()));
  for (std::size_t i = 1; i < components.size(); ++i) step = HF_TRY(step.open_dir(components[i]));
  return step;
}

Result<std::optional<File>> Dir::open_file(const SafeName& name, Access access) const {
  const std::string path = path_of(name);
  const DWORD rights = access == Access::kRead ? kReadRights : kReadRights | kWriteRights;
  Opened opened = HF_TRY(open_itself(path, rights, kDenyNobody));
  if (!opened.handle.valid()) {
    if (opened.code == ERROR_FILE_NOT_FOUND) return std::nullopt;
    return fail(explain_open(opened, path));
  }
  const Looked looked = HF_TRY(look_at_entry(opened, path));
  if (looked.info.type == FileType::kLink) return fail(is_link_error(path));
  if (looked.info.type != FileType::kRegular ||
      sys().GetFileType(handle_of(opened.handle)) != FILE_TYPE_DISK) {
    return fail(dir_refused(path, cause::kNotARegularFile, "it is not a regular file"));
  }
  return File(std::move(opened.handle), path,
              access == Access::kAppend ? File::Writes::kAtEnd : File::Writes::kAtPosition);
}

Result<std::optional<File>> Dir::create_file(const SafeName& name, std::uint32_t mode) const {
  const std::string path = path_of(name);
  const std::wstring wide = HF_TRY(extended_path(path));
  BirthAccess access = HF_TRY(BirthAccess::for_mode(mode));
  Handle handle = own(sys().CreateFileW(wide.c_str(), kReadRights | kWriteRights, kDenyNobody,
                                        access.attributes(), CREATE_NEW,
                                        FILE_ATTRIBUTE_NORMAL | kOpenLinkItself, nullptr));
  if (!handle.valid()) {
    if (is_taken(last_error())) return std::nullopt;
    return fail(last_os_error("create", path, "nothing was created"));
  }
  return File(std::move(handle), path);
}

Result<Made> Dir::make_dir(const SafeName& name, std::uint32_t mode) const {
  const std::string path = path_of(name);
  const std::wstring wide = HF_TRY(extended_path(path));
  BirthAccess access = HF_TRY(BirthAccess::for_mode(mode));
  if (sys().CreateDirectoryW(wide.c_str(), access.attributes()) == FALSE) {
    if (is_taken(last_error())) return Made::kAlreadyThere;
    return fail(last_os_error("create the directory", path, "nothing was created"));
  }
  return Made::kMade;
}

Result<Placed> Dir::rename_new(const SafeName& from, const SafeName& to) const {
  const DWORD code = HF_TRY(rename_entry(path_of(from), path_of(to), IfTaken::kFail));
  if (code == ERROR_SUCCESS) return Placed::kPlaced;
  if (is_taken(code)) return Placed::kNameTaken;
  return fail(win_error("give the name to", path_of(to), code, "nothing has changed"));
}

Result<> Dir::rename_over(const SafeName& from, const SafeName& to) const {
  const DWORD code = HF_TRY(rename_entry(path_of(from), path_of(to), IfTaken::kReplace));
  if (code == ERROR_SUCCESS) return {};
  return fail(win_error("give the name to", path_of(to), why_not_replaced(path_of(to), code),
                        "nothing has changed"));
}

Result<Placed> Dir::take_name(const SafeName& from, const SafeName& to) const {
  const std::string path = path_of(to);
  const Opened old = HF_TRY(open_itself(path, kRemoveRights, kDenyNobody));
  if (!old.handle.valid()) {
    if (old.code == ERROR_FILE_NOT_FOUND) return rename_new(from, to);
    if (old.code != ERROR_SHARING_VIOLATION) return fail(explain_open(old, path));
    return fail(dir_refused(path, cause::kHeldOpen,
                            "another program has it open in a way that lets nobody rename or "
                            "replace it; nothing has changed"));
  }
  const Looked looked = HF_TRY(look_at_entry(old, path));
  if (looked.info.type == FileType::kLink) return fail(is_link_error(path));
  const Opened fresh =
      HF_TRY(open_itself(path_of(from), kRemoveRights, kDenyNobody, FILE_FLAG_WRITE_THROUGH));
  if (!fresh.handle.valid()) return fail(explain_open(fresh, path_of(from)));
  const HANDLE its = handle_of(fresh.handle);
  if (give_name(its, old.wide, IfTaken::kReplace)) return Placed::kPlaced;
  // Old renames replace nothing that is open. It is moved aside instead, under the name of a stage,
  // so that a crash leaves what a sweep removes.
  const SafeName aside = HF_TRY(SafeName::make(".hf-stage-" + to_hex(HF_TRY(random_id()))));
  const std::wstring away = HF_TRY(extended_path(path_of(aside)));
  if (!give_name(handle_of(old.handle), away, IfTaken::kFail)) {
    return fail(last_os_error("replace", path, "nothing has changed"));
  }
  if (!give_name(its, old.wide, IfTaken::kFail)) {
    const DWORD code = last_error();
    if (!is_taken(code)) {
      const bool back = give_name(handle_of(old.handle), old.wide, IfTaken::kFail);
      return fail(win_error("replace", path, code,
                            back ? "nothing has changed" : "its name is gone; lock it again"));
    }
    mark_for_removal(handle_of(old.handle));
    return Placed::kNameTaken;
  }
  mark_for_removal(handle_of(old.handle));  // else a sweep does it
  return Placed::kPlaced;
}

Result<bool> Dir::is_held_open(const SafeName& name) const {
  const Opened opened = HF_TRY(open_itself(path_of(name), kRemoveRights, kDenyNobody));
  return opened.code == ERROR_SHARING_VIOLATION;
}

Result<Exchanged> Dir::exchange(const SafeName& /*one*/, const SafeName& /*other*/) const {
  return Exchanged::kUnsupported;
}

Result<std::optional<std::string>> Dir::read_link(const SafeName& name) const {
  const std::string path = path_of(name);
  const Opened opened = HF_TRY(open_itself(path, kLookRights, kDenyNobody));
  if (!opened.handle.valid()) {
    if (opened.code == ERROR_FILE_NOT_FOUND) return std::nullopt;
    return fail(win_error("read the link", path, opened.code));
  }
  const Looked looked = HF_TRY(look_at_entry(opened, path));
  if (looked.hidden_link) return fail(win_error("read the link", path, ERROR_NOT_SUPPORTED));
  if (looked.info.type != FileType::kLink) return std::nullopt;
  const auto target = HF_TRY(read_reparse(opened.handle, path));
  if (!target) return fail(win_error("read the link", path, ERROR_NOT_SUPPORTED));
  return target->text;
}

Result<Removed> Dir::remove_file(const SafeName& name) const {
  return remove_entry(path_of(name), false);
}

Result<Removed> Dir::remove_dir(const SafeName& name) const {
  return remove_entry(path_of(name), true);
}

Result<std::optional<FileInfo>> Dir::info(const SafeName& name) const {
  const std::string path = path_of(name);
  const Opened opened = HF_TRY(open_itself(path, kLookRights, kDenyNobody));
  if (!opened.handle.valid()) {
    if (opened.code == ERROR_FILE_NOT_FOUND) return std::nullopt;
    return fail(win_error("look at", path, opened.code));
  }
  return HF_TRY(look_at_entry(opened, path)).info;
}

Result<std::optional<FileId>> Dir::id_of(const SafeName& name) const {
  const auto all = HF_TRY(info(name));
  if (!all) return std::nullopt;
  return all->id;
}

Result<FileInfo> Dir::info() const {
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(handle_of(handle_), &info) == FALSE) {
    return fail(last_os_error("look at", path_));
  }
  return to_file_info(info);
}

Result<Exposure> Dir::exposure() const { return exposure_of(handle_of(handle_), path_); }

Result<> Dir::each_entry(
    const std::function<Visit(std::string_view name, FileType type)>& visit) const {
  // A handle of its own: the read position must not be shared between two walks.
  const Handle handle = HF_TRY(open_directory(path_));
  alignas(FILE_FULL_DIR_INFO) std::array<std::byte, 32768> buffer;
  for (;;) {
    if (sys().GetFileInformationByHandleEx(handle_of(handle), FileFullDirectoryInfo, buffer.data(),
                                           static_cast<DWORD>(buffer.size())) == FALSE) {
      if (last_error() == ERROR_NO_MORE_FILES) return {};
      return fail(last_os_error("list", path_));
    }
    const FILE_FULL_DIR_INFO* entry = nullptr;
    std::size_t at = 0;
    do {
      entry = reinterpret_cast<const FILE_FULL_DIR_INFO*>(buffer.data() + at);
      at += entry->NextEntryOffset;
      const std::string name = from_wide(
          std::wstring_view(&entry->FileName[0], entry->FileNameLength / sizeof(wchar_t)));
      if (name == "." || name == "..") continue;
      if (visit(name, type_of_attributes(entry->FileAttributes)) == Visit::kStop) return {};
    } while (entry->NextEntryOffset != 0);
  }
}

// No call of Windows makes the names of a directory durable. A file that was given a name does it
// for itself (File::sync_name), and renames are written through (rename_entry).
Result<> Dir::sync() const { return {}; }

}  // namespace holdfast::os
