// SPDX-License-Identifier: Apache-2.0
//
// What byte_lock_win.cc knows about the locks of this process; for src/os/*/*_win.cc only.
//
// A lock of Windows belongs to a file object and a process. It can be had twice, is never changed
// from one share to the other, is given back only by the very range it was taken with, and is
// waited for without a limit only through a handle that was opened for overlapped work. The header
// promises something plainer, so there is a table: which ranges each handle has, and through which
// file object: its own, or a second one of the same file, made for waiting (its waiting handle).
// Whoever waits gets the lock there, and it stays there: to give it back and take it again through
// the first would hand it to the next in line.
//
// The table is by handle value, so a handle that goes must leave it: HandleTraits::close and
// File::close call forget_locks. A value that is given out again starts with nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "os/lock/byte_lock.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

struct LockRange {
  std::uint64_t offset = 0;
  std::uint64_t count = 1;  // 0: to the end
  Share share = Share::kExclusive;
};

// The byte that stands for the whole file: the one that msvcrt.locking users of a lock file lock.
inline constexpr LockRange kInteropByte{.offset = 0, .count = 1};

// A wait for a range, begun in the kernel.
class PendingLock {
 public:
  static Result<std::unique_ptr<PendingLock>> begin(NativeHandle handle, const LockRange& range);
  PendingLock(const PendingLock&) = delete;
  PendingLock& operator=(const PendingLock&) = delete;
  // Cancelled; what came in that very moment is given back.
  ~PendingLock();

  // Set once there is an answer. Under Wine 8, which does not do such waits, it is never set.
  [[nodiscard]] HANDLE event() const { return handle_of(event_); }
  // Has it come? Then the handle has the range. Tries it as well, which is all that works on Wine.
  Result<bool> got();

 private:
  PendingLock(NativeHandle handle, const LockRange& range) : handle_(handle), range_(range) {}
  // nullopt: still on its way.
  std::optional<DWORD> outcome();
  void cancel();

  NativeHandle handle_;
  LockRange range_;
  Handle event_;
  HANDLE waiting_ = nullptr;  // owned by the table
  std::unique_ptr<OVERLAPPED> request_ = std::make_unique<OVERLAPPED>();
  bool pending_ = false;
};

// Keeps the name of the file: while `handle` is open nobody can rename or remove it.
Result<> keep_name(NativeHandle handle, const std::string& path);

void forget_locks(NativeHandle handle) noexcept;

// A read that was refused (ERROR_LOCK_VIOLATION) because this very handle has the range locked,
// through its waiting handle: made through that one. False: it was somebody else's lock.
bool read_through_lock(NativeHandle handle, std::uint64_t offset, std::span<char> buffer,
                       DWORD& got);

}  // namespace holdfast::os
