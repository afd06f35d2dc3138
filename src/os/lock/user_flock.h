// SPDX-License-Identifier: Apache-2.0
//
// Locks of the user's own choosing, as flock(1) takes them, and a limit for the wait. Windows has
// neither: `unsupported`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// WaitLimit: while it lives, a system call that blocks is interrupted (EINTR) from a moment on. For
// calls that can neither be polled nor take a time-out, flock(2) above all. Nothing is polled: one
// timer of the kernel fires once, and again only until the waiter has looked.
//
// Guarantee: a call that is made, or is about to be made, at the moment comes back within 10 ms of
// it. When the object goes, SIGALRM's action and the signal mask are as they were.
//
// Limits: for a program with one thread that does not use SIGALRM itself; one at a time. A SIGALRM
// that others send meanwhile has no effect. Suspend does not count (the monotonic clock), as in
// flock(1). More than a hundred years is a hundred years.
//
// Sequence: start(); the call in a loop: EINTR and passed() is the end, EINTR alone is once more.
// Errors: `einval` for a negative limit; what the kernel says of timers, kOsRefused.
class WaitLimit {
 public:
  static Result<std::unique_ptr<WaitLimit>> start(Duration limit);
  ~WaitLimit();
  WaitLimit(const WaitLimit&) = delete;
  WaitLimit& operator=(const WaitLimit&) = delete;

  [[nodiscard]] bool passed() const;

 private:
  struct Armed;  // what was changed and is to be put back
  explicit WaitLimit(Duration deadline);

  Duration deadline_;  // of the monotonic clock
  std::unique_ptr<Armed> armed_;
};

// flock(2) on a file, directory or descriptor of the user's own choosing, as flock(1) does it.
//
// Guarantees: nothing is written into the file. It is opened to read and created where it is
// absent, with mode 0666 less the umask; links are followed; a directory is opened as it is. The
// descriptor is *not* close-on-exec: the command that the lock is for inherits it, and the lock
// stays as long as anybody has it open. It is never 0, 1 or 2, even where the caller closed those:
// else our messages could go into the file, and a command that closes its stdin would give up the
// lock.
//
// Limits: opening a FIFO waits for its writer, as open(2) says. Locks on network file systems are
// what the file system makes of them; some want a descriptor that is open for writing, and answer
// `eio` or `ebadf` to any other: open it again with Access::kReadWrite.
//
// Errors: os_error's, with op "open lock file" or "lock".
//
// kWrite: for an exclusive lock of bytes, which fcntl(2) gives to nobody else. A directory, which
// cannot be opened so, is opened to read.
enum class LockFileAccess : std::uint8_t { kRead, kWrite, kReadWrite };

Result<Handle> open_user_lock(const std::string& path, LockFileAccess access);

// May this user (the real one, as access(2) has it) read and write it?
bool may_read_and_write(const std::string& path);

enum class FlockMode : std::uint8_t { kShared, kExclusive, kUnlock };
enum class FlockAnswer : std::uint8_t { kDone, kHeldByAnother, kTimeIsUp };

struct FlockWait {
  bool no_wait = false;
  const WaitLimit* limit = nullptr;  // null: as long as it takes
};

// `subject`: what it is, for messages.
Result<FlockAnswer> flock_user_lock(NativeHandle descriptor, FlockMode mode, const FlockWait& wait,
                                    const std::string& subject);

// The same by a lock of the open file description on bytes (fcntl, F_OFD_SETLK), which excludes
// every program that locks bytes there by fcntl(2) or lockf(3), and no user of flock(2).
// A length of 0 is up to the end of the file, wherever that comes to be.
struct UserRange {
  std::uint64_t start = 0;
  std::uint64_t length = 0;
};
Result<FlockAnswer> fcntl_user_lock(NativeHandle descriptor, FlockMode mode, const UserRange& range,
                                    const FlockWait& wait, const std::string& subject);

}  // namespace holdfast::os
