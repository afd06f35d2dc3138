// SPDX-License-Identifier: Apache-2.0
//
// flock belongs to the open file description, and fork copies the descriptor, not the description:
//
//   - A child that unlocked through its copy would unlock for its parent, and one that locked would
//     find the lock "its own" while the parent is inside. So the process that opened the handle is
//     remembered; in any other, unlock does nothing and lock first opens the directory anew, from
//     the inherited handle, never by a path that may lead elsewhere by now.
//   - Closing gives the lock back only when every copy is closed. So an end is an unlock, said
//     aloud, and not only a close.
#include "os/lock/dir_lock.h"

#include <sys/file.h>

#include <algorithm>

#include "base/budget.h"
#include "os/lock/blocked_wait.h"
#include "os/lock/lock_wait.h"
#include "os/machine/real_clock.h"
#include "os/process/pid.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

// So often, some 2 ms, it is tried again, which is the quickest way past a holder of microseconds.
// A crowd must not go on with that: of a thousand supervisors that end at once, each with a last
// word for the journal, the ones that tried took half of both processors from the one that wrote.
constexpr int kPauses = 7;

// A description of its own for the directory that `dir` is open on.
Result<Handle> open_anew(int dir, const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const int fd = retry_eintr([&] { return sys().openat(dir, ".", kFlags, 0); });
  if (fd < 0) return fail(last_os_error("open the lock of", path));
  return Handle(fd);
}

Result<bool> try_lock(int fd, const std::string& path) {
  if (retry_eintr([&] { return sys().flock(fd, LOCK_EX | LOCK_NB); }) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  return fail(last_os_error("lock", path));
}

// Tried, then waited for.
Result<bool> lock_within(int fd, const std::string& path, Duration limit) {
  const auto try_once = [&] { return try_lock(fd, path); };
  if (HF_TRY(try_once())) return true;
  if (limit <= Duration::zero()) return false;
  const RealClock clock;
  const MonoTime start = clock.mono();
  limit = within_whole_budget(limit, start);
  if (limit <= Duration::zero()) return false;
  if (HF_TRY(wait_for_lock(limit, try_once, pause, kTriesWithoutPause - 1, kPauses))) return true;
  const Duration rest = limit - (clock.mono() - start);
  if (rest <= Duration::zero()) return false;
  const auto woken = blocked_wait({.kind = BlockOn::Kind::kFlock, .handle = fd}, nullptr, 0,
                                  nullptr, clock.mono() + rest);
  if (!woken) return wait_for_lock(rest, try_once, pause);  // no thread can be made
  // It may have come at the very end of the wait, on this description: then it is "locked" again.
  return *woken == Woken::kGot || HF_TRY(try_once());
}

bool try_unlock(int fd) {
  return retry_eintr([&] { return sys().flock(fd, LOCK_UN); }) == 0;
}

}  // namespace

Result<DirLock> DirLock::open(const Dir& dir) {
  Handle handle = HF_TRY(open_anew(static_cast<int>(dir.native()), dir.path()));
  return DirLock(std::move(handle), dir.path(), process_mark());
}

Result<> DirLock::reopen_after_fork() {
  const std::int64_t self = process_mark();
  if (self == opened_by_) return {};
  handle_ = HF_TRY(open_anew(fd_of(handle_), path_));
  opened_by_ = self;
  return {};
}

Result<bool> DirLock::lock(Duration limit) {
  HF_TRY(reopen_after_fork());
  return lock_within(fd_of(handle_), path_, limit);
}

void DirLock::unlock() {
  if (!handle_.valid() || process_mark() != opened_by_) return;
  if (try_unlock(fd_of(handle_))) return;
  // Closing gives it back where flock does not. Without a new handle the next lock() is an error.
  Result<Handle> anew = open_anew(fd_of(handle_), path_);
  handle_ = anew ? std::move(*anew) : Handle();
}

Result<bool> try_lock_file(const File& file) {
  return try_lock(static_cast<int>(file.native()), file.path());
}

Result<bool> lock_file(const File& file, Duration limit) {
  return lock_within(static_cast<int>(file.native()), file.path(), limit);
}

void unlock_file(const File& file) { try_unlock(static_cast<int>(file.native())); }

}  // namespace holdfast::os
