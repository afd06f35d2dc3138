// SPDX-License-Identifier: Apache-2.0
//
// A directory cannot be locked here; a file in it stands for it. Every DirLock keeps that file open
// without sharing deletion, so nobody can remove it, or put another in its place, while two locks
// rely on its being the same one.
//
// Locks of Windows are mandatory: who locks a byte keeps others from reading it. The byte that is
// locked therefore lies where no file has any.
#include "os/lock/dir_lock.h"

#include "base/cause.h"
#include "os/file/entry_win.h"
#include "os/file/security_win.h"
#include "os/lock/lock_wait.h"
#include "os/machine/real_clock.h"

namespace holdfast::os {
namespace {

constexpr std::uint32_t kLockFileMode = 0600;

OVERLAPPED locked_byte() {
  OVERLAPPED at{};
  at.OffsetHigh = 0x40000000U;
  return at;
}

// Made or opened, never "opened or else made" in one call: under Wine that would make a file
// through a link that leads nowhere.
Result<Opened> open_or_make(const std::string& path) {
  constexpr DWORD kHow = kReadRights | kWriteRights;
  constexpr int kMostTurns = 16;  // somebody may remove it in between, again and again
  BirthAccess access = HF_TRY(BirthAccess::for_mode(kLockFileMode));
  Opened opened;
  for (int i = 0; i < kMostTurns; ++i) {
    opened = HF_TRY(open_itself(path, kHow, kDenyDelete));
    if (opened.handle.valid() || opened.code != ERROR_FILE_NOT_FOUND) return opened;
    opened.handle =
        own(sys().CreateFileW(opened.wide.c_str(), kHow, kDenyDelete, access.attributes(),
                              CREATE_NEW, FILE_ATTRIBUTE_NORMAL | kOpenLinkItself, nullptr));
    opened.code = opened.handle.valid() ? DWORD{ERROR_SUCCESS} : last_error();
    if (!is_taken(opened.code)) return opened;
  }
  return opened;
}

Result<Handle> open_lock_file(const std::string& path) {
  Opened opened = HF_TRY(open_or_make(path));
  if (!opened.handle.valid()) {
    Error error = explain_open(opened, path);
    error.op = "open the lock";
    return fail(std::move(error));
  }
  const Looked looked = HF_TRY(look_at_entry(opened, path));
  if (looked.info.type == FileType::kLink) return fail(is_link_error(path));
  if (looked.info.type != FileType::kRegular) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "open the lock",
                 .subject = path,
                 .cause = cause::kNotARegularFile,
                 .detail = "it is not a regular file"});
  }
  return std::move(opened.handle);
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
