// SPDX-License-Identifier: Apache-2.0
//
// Under Wine an open follows a link, and "create or open" would make the file that a planted link
// names. So a name is either created, which fails where anything has it, a dangling link too, or
// opened as what is there and checked; it is never both in one call, and never truncated.
#include "os/lock/deny_file.h"

#include "base/cause.h"
#include "os/dir/dir.h"
#include "os/file/entry_win.h"
#include "os/file/security_win.h"
#include "os/path/path_win.h"

namespace holdfast::os {
namespace {

constexpr int kDenyFileTries = 5;
constexpr int kMakeTries = 8;
constexpr DWORD kPauseMs = 1;
constexpr const char* kOpen = "open to deny others";

DWORD rights_of(Share share) {
  return share == Share::kExclusive ? kReadRights | kWriteRights | DELETE : kReadRights;
}
DWORD sharing_of(Share share) { return share == Share::kExclusive ? 0 : FILE_SHARE_READ; }

bool says_denied(DWORD code) {
  // Access is denied to a name whose file is about to go: its last handle is somebody's.
  return code == ERROR_SHARING_VIOLATION || code == ERROR_DELETE_PENDING ||
         code == ERROR_ACCESS_DENIED;
}

// The same answer is given for want of rights, and for a read-only file: then nobody has it, nobody
// will let go of it, and waiting is in vain. A file that is about to go cannot be opened at all;
// one that is there to stay can be looked at, whoever denies what. In between it may have gone, and
// another come: so want of rights is believed only when it is seen again and again.
enum class Denial : std::uint8_t { kHeld, kNothingThere, kNoRights };

Denial why_denied(const std::wstring& wide, DWORD code) {
  if (code != ERROR_ACCESS_DENIED) return Denial::kHeld;
  const Handle there = own(sys().CreateFileW(wide.c_str(), FILE_READ_ATTRIBUTES, kDenyNobody,
                                             nullptr, OPEN_EXISTING, kOpenLinkItself, nullptr));
  if (!there.valid()) {
    return last_error() == ERROR_FILE_NOT_FOUND ? Denial::kNothingThere : Denial::kHeld;
  }
  FILE_STANDARD_INFO info{};
  const bool stays = sys().GetFileInformationByHandleEx(handle_of(there), FileStandardInfo, &info,
                                                        sizeof(info)) != FALSE &&
                     info.DeletePending == FALSE;
  return stays ? Denial::kNoRights : Denial::kHeld;
}

Result<> deny_file_check(const Handle& handle, const std::string& path, const Dir& dir) {
  HF_TRY(refuse_links(handle, path, dir.path()));
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(handle_of(handle), &info) == FALSE) {
    return fail(last_os_error("look at", path));
  }
  if (type_of_attributes(info.dwFileAttributes) == FileType::kRegular) return {};
  return fail({.code = ErrorCode::kRefused,
               .op = kOpen,
               .subject = path,
               .cause = cause::kNotARegularFile,
               .detail = "it is not a regular file"});
}

// What is there, if it may be had. `code` is set where nothing was opened.
Handle open_existing(const std::wstring& wide, Share share, DWORD& code) {
  for (int tries = 1;; ++tries) {
    Handle handle = own(sys().CreateFileW(wide.c_str(), rights_of(share), sharing_of(share),
                                          nullptr, OPEN_EXISTING, kOpenLinkItself, nullptr));
    if (handle.valid()) return handle;
    code = last_error();
    if (!says_denied(code) || tries == kDenyFileTries) return {};
    sys().Sleep(kPauseMs);
  }
}

// A name on its way out cannot be looked at, and is somebody's: then opening it tells. Not under
// Wine, which has no such names and shows links to this look only.
Result<> refuse_planted_link(const Dir& dir, const std::string& path) {
  const auto link = first_link_on(path, dir.path());
  if (link && !link->empty()) return fail(is_link_error(path));
  if (!link && under_wine()) return fail(link.error());
  return {};
}

}  // namespace

Result<std::optional<Handle>> open_denying(const Dir& dir, const SafeName& name, Share share) {
  const std::string path = dir.path_of(name);
  const std::wstring wide = HF_TRY(extended_path(path));
  HF_TRY(refuse_planted_link(dir, path));
  bool no_rights = false;
  for (int tries = 0; tries < kMakeTries; ++tries) {
    DWORD code = ERROR_SUCCESS;
    Handle handle = open_existing(wide, share, code);
    if (handle.valid()) {
      auto checked = deny_file_check(handle, path, dir);
      if (!checked) return fail(std::move(checked).error());
      return std::optional(std::move(handle));
    }
    if (says_denied(code)) {
      const Denial why = why_denied(wide, code);
      if (why == Denial::kHeld) return std::optional<Handle>();
      no_rights = why == Denial::kNoRights;
      if (no_rights) continue;
    } else if (code != ERROR_FILE_NOT_FOUND) {
      return fail(win_error(kOpen, path, code));
    }
    BirthAccess access = HF_TRY(BirthAccess::for_mode(kPrivateFile));
    handle = own(sys().CreateFileW(wide.c_str(), rights_of(share), sharing_of(share),
                                   access.attributes(), CREATE_NEW,
                                   FILE_ATTRIBUTE_NORMAL | kOpenLinkItself, nullptr));
    if (handle.valid()) return std::optional(std::move(handle));
    code = last_error();
    no_rights = false;
    if (says_denied(code)) {
      const Denial why = why_denied(wide, code);
      if (why == Denial::kHeld) return std::optional<Handle>();
      no_rights = why == Denial::kNothingThere;  // it is the directory that takes no new one
      sys().Sleep(kPauseMs);
    } else if (!is_taken(code)) {
      return fail(win_error(kOpen, path, code, "nothing was created"));
    }
  }
  if (no_rights) return fail(win_error(kOpen, path, ERROR_ACCESS_DENIED));
  return std::optional<Handle>();  // somebody keeps making and removing it: then it is theirs
}

Result<bool> is_denied(const Dir& dir, const SafeName& name, Share share) {
  const std::string path = dir.path_of(name);
  const std::wstring wide = HF_TRY(extended_path(path));
  HF_TRY(refuse_planted_link(dir, path));
  DWORD code = ERROR_SUCCESS;
  for (int tries = 0; tries < kMakeTries; ++tries) {
    const Handle handle = open_existing(wide, share, code);
    if (handle.valid()) {
      auto checked = deny_file_check(handle, path, dir);
      if (!checked) return fail(std::move(checked).error());
      return false;
    }
    if (code == ERROR_FILE_NOT_FOUND) return false;
    if (!says_denied(code)) break;
    const Denial why = why_denied(wide, code);
    if (why == Denial::kHeld) return true;
    if (why == Denial::kNothingThere) return false;
  }
  return fail(win_error(kOpen, path, code));
}

void close_and_remove(Handle handle) {
  if (handle.valid()) mark_for_removal(handle_of(handle));  // else it is left, and used again
}

}  // namespace holdfast::os
