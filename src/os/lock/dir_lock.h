// SPDX-License-Identifier: Apache-2.0
//
// DirLock: a short, bounded mutual exclusion of processes by a directory: nothing to create, plant,
// unlink or find stale. The kernel gives it back when the holder dies, whatever it was doing.
//
// It is meant for critical sections of microseconds (an append, a rename). A waiter tries again
// with growing pauses (20 µs to 1 ms), which costs less than a hand-off through a sleeping waiter;
// on Linux, after 2 ms it sleeps until it is given the lock (os/lock/blocked_wait.h). A holder that is
// *stopped* costs the waiter its limit and no more.
//
// Guarantee: two DirLock objects, in one process or in two, opened on the same directory, are never
// both locked. A child made by fork gets no share in its parent's lock: its unlock() does nothing,
// and its lock() opens the directory anew. Unlocking cannot fail: where the system refuses it, the
// handle is closed, which does it; where no new one can be opened then, the next lock() is an
// error.
//
// Limits: not for concurrent use of one object; guard it with a mutex. Not recursive: an object
// that is locked must not be locked again. Do not fork between lock and unlock: if the holder then
// dies before it unlocks, the lock stays until the child, too, has ended or executed another
// program.
//
// Errors: see os_error.h; "held by another" is an answer and none of them.
//
// Platform: flock(2) on an open file description of its own on Linux (on a network file system that
// is the server's business; see os/file/file_system.h); on Windows LockFileEx on the file
// `.holdfast-lock` in the directory, which is made where it is missing and cannot be removed while
// a DirLock is open.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

class DirLock {
 public:
  static Result<DirLock> open(const Dir& dir);

  DirLock(DirLock&&) = default;
  DirLock& operator=(DirLock&& other) noexcept {
    if (this == &other) return *this;
    unlock();
    handle_ = std::move(other.handle_);
    path_ = std::move(other.path_);
    opened_by_ = other.opened_by_;
    return *this;
  }
  DirLock(const DirLock&) = delete;
  DirLock& operator=(const DirLock&) = delete;
  ~DirLock() { unlock(); }

  // true: locked. false: another held it for all of `limit` (a limit of 0 tries once).
  [[nodiscard]] Result<bool> lock(Duration limit);
  // Nothing happens where it is not locked.
  void unlock();

 private:
  DirLock(Handle handle, std::string path, std::int64_t opened_by)
      : handle_(std::move(handle)), path_(std::move(path)), opened_by_(opened_by) {}

  Result<> reopen_after_fork();

  Handle handle_;
  std::string path_;
  std::int64_t opened_by_;  // the process that opened the handle
};

// The same for one open file, by flock on it (LockFileEx on Windows): tried once, or waited for.
// Given back by unlock_file or by closing the file. Unlike a DirLock it is shared with a child made
// by fork.
[[nodiscard]] Result<bool> try_lock_file(const File& file);
[[nodiscard]] Result<bool> lock_file(const File& file, Duration limit);
void unlock_file(const File& file);

}  // namespace holdfast::os
