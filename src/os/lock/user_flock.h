// SPDX-License-Identifier: Apache-2.0
//
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
// Errors: os_error's, with op "open lock file" or "lock". Windows: `unsupported`.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "os/lock/wait_limit.h"
#include "os/sys/handle.h"

namespace holdfast::os {

enum class LockFileAccess : std::uint8_t { kRead, kReadWrite };

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

}  // namespace holdfast::os
