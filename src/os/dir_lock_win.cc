// SPDX-License-Identifier: Apache-2.0
//
// A directory cannot be locked here; a file in it stands for it. Every DirLock keeps that file open
// without sharing deletion, so nobody can remove it, or put another in its place, while two locks
// rely on its being the same one.
//
// Locks of Windows are mandatory: who locks a byte keeps others from reading it. The byte that is
// locked therefore lies where no file has any.
#include "os/dir_lock.h"

#include "os/lock_wait.h"
#include "os/native_win.h"
#include "os/path_win.h"
#include "os/pause.h"
#include "os/security_win.h"

namespace holdfast::os {
namespace {

constexpr std::uint32_t kLockFileMode = 0600;

OVERLAPPED locked_byte() {
  OVERLAPPED at{};
  at.OffsetHigh = 0x40000000U;
  return at;
}

Error refused(std::string_view path, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "open the lock",
          .subject = std::string(path),
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

Result<Handle> open_lock_file(const std::string& path) {
  const std::wstring wide = HF_TRY(extended_path(path));
  BirthAccess access = HF_TRY(BirthAccess::for_mode(kLockFileMode));
  Handle handle = own(sys().CreateFileW(wide.c_str(), kReadRights | kWriteRights, kDenyDelete,
                                        access.attributes(), OPEN_ALWAYS,
                                        FILE_ATTRIBUTE_NORMAL | kOpenLinkItself, nullptr));
  if (!handle.valid()) return fail(last_os_error("open the lock", path));
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(handle_of(handle), &info) == FALSE) {
    return fail(last_os_error("look at", path));
  }
  const FileType type = type_of_attributes(info.dwFileAttributes);
  if (type == FileType::kLink) return fail(refused(path, "is-link", "it is a symbolic link"));
  if (type != FileType::kRegular) {
    return fail(refused(path, "not-a-regular-file", "it is not a regular file"));
  }
  return handle;
}

Result<bool> try_lock(HANDLE handle, const std::string& path) {
  constexpr DWORD kHow = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  OVERLAPPED at = locked_byte();
  if (sys().LockFileEx(handle, kHow, 0, 1, 0, &at) != FALSE) return true;
  if (last_error() == ERROR_LOCK_VIOLATION) return false;
  return fail(last_os_error("lock", path));
}

bool try_unlock(HANDLE handle) {
  OVERLAPPED at = locked_byte();
  return sys().UnlockFileEx(handle, 0, 1, 0, &at) != FALSE || last_error() == ERROR_NOT_LOCKED;
}

}  // namespace

Result<DirLock> DirLock::open(const Dir& dir) {
  std::string path = dir.path_of(".holdfast-lock"_name);
  Handle handle = HF_TRY(open_lock_file(path));
  return DirLock(std::move(handle), std::move(path), 0);
}

Result<> DirLock::reopen_after_fork() { return {}; }

Result<bool> DirLock::lock(Duration limit) {
  return wait_for_lock(limit, [&] { return try_lock(handle_of(handle_), path_); }, pause);
}

void DirLock::unlock() {
  if (!handle_.valid() || try_unlock(handle_of(handle_))) return;
  // Closing gives it back where UnlockFileEx does not. The new handle comes first, so that the file
  // stays the same one. Without it the next lock() is an error.
  Result<Handle> anew = open_lock_file(path_);
  handle_ = anew ? std::move(*anew) : Handle();
}

Result<bool> try_lock_file(const File& file) {
  return try_lock(reinterpret_cast<HANDLE>(file.native()), file.path());
}

Result<bool> lock_file(const File& file, Duration limit) {
  return wait_for_lock(limit, [&] { return try_lock_file(file); }, pause);
}

void unlock_file(const File& file) { try_unlock(reinterpret_cast<HANDLE>(file.native())); }

}  // namespace holdfast::os
