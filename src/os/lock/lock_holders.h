// SPDX-License-Identifier: Apache-2.0
//
// Who holds a lock, as the kernel names it, for messages and for people: "busy" without a name helps
// nobody. A look at one moment; it proves nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "os/file/file.h"
#include "os/process/pid.h"

namespace holdfast::os {

struct LockHolder {
  std::optional<Pid> pid;  // none: of another pid namespace
};

// Of a flock; nullopt: nobody, by now.
//
// Limits: only flock (not byte ranges); a process of another pid namespace has no number here.
// The kernel lists the process that took the lock; a child that has inherited it is not told apart. Errors: kOsRefused where /proc does not tell.
// Windows does not tell: kOsRefused `unsupported`.
Result<std::optional<LockHolder>> flock_holder(const FileId& id);

// Which processes have a descriptor through which a byte is locked: the kernel knows no owner of an
// open file description's lock, but lists the locks of each descriptor (/proc/PID/fdinfo):
// "who is in there", "which daemon has inherited it". A flock is listed there, too, and counts as
// every byte of its file.
//
// Limits: processes of other users and of other pid namespaces are not seen; costs a look at
// every descriptor of every process.
// Windows: always empty.
std::vector<Pid> byte_holders(const FileId& file, std::uint64_t offset);

}  // namespace holdfast::os
