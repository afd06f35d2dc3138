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
//   - The attribute is looked up by path as well. On Windows that adds nothing; Wine 8 always opens
//     what a link leads to and shows a directory link by path only (a link to a file not at all).
//     There, a link is refused even where Windows would act on the link itself.
//
// A name that is not there is ERROR_FILE_NOT_FOUND. ERROR_PATH_NOT_FOUND says that the way to the
// directory is gone and stays an error.
#include "os/dir.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "os/native_win.h"
#include "os/path_win.h"
#include "os/security_win.h"
#include "os/wide_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kListRights =
    FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES | READ_CONTROL | SYNCHRONIZE;
constexpr DWORD kLookRights = FILE_READ_ATTRIBUTES | SYNCHRONIZE;
constexpr DWORD kRemoveRights = DELETE | FILE_READ_ATTRIBUTES | SYNCHRONIZE;

Error refused(std::string_view path, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "open",
          .subject = std::string(path),
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

Error is_link(std::string_view path) {
  return refused(path, "is-link", "it is a symbolic link, a junction or a mount point");
}

// One thing, opened as itself.
struct Opened {
  Handle handle;  // nothing where the open failed
  DWORD code = ERROR_SUCCESS;
  std::wstring wide;
};

Result<Opened> open_itself(const std::string& path, DWORD rights, DWORD share) {
  Opened opened;
  opened.wide = HF_TRY(extended_path(path));
  opened.handle = own(sys().CreateFileW(opened.wide.c_str(), rights, share, nullptr, OPEN_EXISTING,
                                        kOpenLinkItself, nullptr));
  if (!opened.handle.valid()) opened.code = last_error();
  return opened;
}

struct Looked {
  FileInfo info;
  bool hidden_link = false;  // a link by path, but the handle is of what it leads to
};

Result<Looked> look(const Opened& opened, const std::string& path) {
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(handle_of(opened.handle), &info) == FALSE) {
    return fail(last_os_error("look at", path));
  }
  Looked looked{.info = to_file_info(info)};
  const DWORD by_path = sys().GetFileAttributesW(opened.wide.c_str());
  if (by_path == kNoAttributes) return fail(last_os_error("look at", path));
  if (looked.info.type != FileType::kLink && type_of_attributes(by_path) == FileType::kLink) {
    looked.info = FileInfo{};
    looked.info.type = FileType::kLink;
    looked.hidden_link = true;
  }
  return looked;
}

// The error of a failed open, or what is in the way. The look by path serves the message only.
Error explain_open(const Opened& opened, const std::string& path) {
  const DWORD by_path = sys().GetFileAttributesW(opened.wide.c_str());
  if (by_path != kNoAttributes && type_of_attributes(by_path) == FileType::kLink) {
    return is_link(path);
  }
  return win_error("open", path, opened.code);
}

Result<Handle> open_directory(const std::string& path) {
  Opened opened = HF_TRY(open_itself(path, kListRights, kDenyDelete));
  if (!opened.handle.valid()) return fail(explain_open(opened, path));
  const Looked looked = HF_TRY(look(opened, path));
  if (looked.info.type == FileType::kLink) return fail(is_link(path));
  if (looked.info.type != FileType::kDirectory) {
    return fail(refused(path, "not-a-directory", "it is not a directory"));
  }
  return std::move(opened.handle);
}

// The name goes at once where Windows can do that (10 and later), else when the last handle does.
bool mark_for_removal(HANDLE handle) {
  DWORD at_once = kRemoveAtOnce;
  if (sys().SetFileInformationByHandle(handle, kDispositionEx, &at_once, sizeof(at_once)) !=
      FALSE) {
    return true;
  }
  const DWORD code = last_error();
  const bool not_offered = code == ERROR_INVALID_PARAMETER || code == ERROR_INVALID_FUNCTION ||
                           code == ERROR_NOT_SUPPORTED || code == ERROR_CALL_NOT_IMPLEMENTED ||
                           code == ERROR_INVALID_LEVEL;
  if (!not_offered) return false;
  FILE_DISPOSITION_INFO on_close{.DeleteFile = TRUE};
  return sys().SetFileInformationByHandle(handle, FileDispositionInfo, &on_close,
                                          sizeof(on_close)) != FALSE;
}

enum class IfTaken : std::uint8_t { kFail, kReplace };

bool give_name(HANDLE handle, const std::wstring& name, IfTaken if_taken) {
  const std::size_t bytes = name.size() * sizeof(wchar_t);
  std::vector<std::byte> buffer(sizeof(FILE_RENAME_INFO) + bytes);  // zeroed: never replace
  auto* rename = reinterpret_cast<FILE_RENAME_INFO*>(buffer.data());
  rename->ReplaceIfExists = if_taken == IfTaken::kReplace ? TRUE : FALSE;
  rename->FileNameLength = static_cast<DWORD>(bytes);
  std::memcpy(&rename->FileName[0], name.data(), bytes);
  return sys().SetFileInformationByHandle(handle, FileRenameInfo, buffer.data(),
                                          static_cast<DWORD>(buffer.size())) != FALSE;
}

Result<Opened> open_to_rename(const std::string& from, const std::string& to) {
  Opened opened = HF_TRY(open_itself(from, kRemoveRights, kDenyNobody));
  if (!opened.handle.valid()) {
    return fail(win_error("give the name to", to, opened.code, "nothing has changed"));
  }
  if (HF_TRY(look(opened, from)).hidden_link) return fail(is_link(from));
  return opened;
}

bool is_taken(DWORD code) { return code == ERROR_FILE_EXISTS || code == ERROR_ALREADY_EXISTS; }

// `as_directory` says what the caller takes the thing for.
Result<Removed> remove_entry(const std::string& path, bool as_directory) {
  const Opened opened = HF_TRY(open_itself(path, kRemoveRights, kDenyNobody));
  if (!opened.handle.valid()) {
    if (opened.code == ERROR_FILE_NOT_FOUND) return Removed::kNotThere;
    return fail(win_error("remove", path, opened.code));
  }
  const Looked looked = HF_TRY(look(opened, path));
  if (looked.hidden_link) return fail(is_link(path));
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
  const std::wstring wide = HF_TRY(extended_path(absolute));
  Handle handle = own(sys().CreateFileW(wide.c_str(), kListRights, kDenyDelete, nullptr,
                                        OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!handle.valid()) return fail(last_os_error("open", path));
  // By its own path from here on: the link that led here may be turned elsewhere.
  Dir dir(std::move(handle), {});
  dir.path_ = HF_TRY(final_path(dir.handle_, path));
  if (HF_TRY(dir.info()).type != FileType::kDirectory) {
    return fail(refused(path, "not-a-directory", "it is not a directory"));
  }
  return dir;
}

Result<Dir> Dir::open_without_links(const std::string& path) {
  Dir dir = HF_TRY(open(path));
  // Where a link leads through, the real path is another one. (So it is for a short name, which is
  // refused with it.)
  if (HF_TRY(final_path(dir.handle_, path)) != dir.path_) return fail(is_link(path));
  return dir;
}

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
  const Looked looked = HF_TRY(look(opened, path));
  if (looked.info.type == FileType::kLink) return fail(is_link(path));
  if (looked.info.type != FileType::kRegular ||
      sys().GetFileType(handle_of(opened.handle)) != FILE_TYPE_DISK) {
    return fail(refused(path, "not-a-regular-file", "it is not a regular file"));
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
  const Opened opened = HF_TRY(open_to_rename(path_of(from), path_of(to)));
  const std::wstring wide = HF_TRY(extended_path(path_of(to)));
  if (give_name(handle_of(opened.handle), wide, IfTaken::kFail)) return Placed::kPlaced;
  if (is_taken(last_error())) return Placed::kNameTaken;
  return fail(last_os_error("give the name to", path_of(to), "nothing has changed"));
}

Result<> Dir::rename_over(const SafeName& from, const SafeName& to) const {
  const Opened opened = HF_TRY(open_to_rename(path_of(from), path_of(to)));
  const std::wstring wide = HF_TRY(extended_path(path_of(to)));
  if (give_name(handle_of(opened.handle), wide, IfTaken::kReplace)) return {};
  return fail(last_os_error("give the name to", path_of(to), "nothing has changed"));
}

Result<Exchanged> Dir::exchange(const SafeName& /*one*/, const SafeName& /*other*/) const {
  return Exchanged::kUnsupported;
}

Result<std::optional<std::string>> Dir::read_link(const SafeName& name) const {
  return fail(win_error("read the link", path_of(name), ERROR_NOT_SUPPORTED));
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
  return HF_TRY(look(opened, path)).info;
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

Result<> Dir::sync() const { return {}; }

}  // namespace holdfast::os
