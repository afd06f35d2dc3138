// SPDX-License-Identifier: Apache-2.0
//
// A process pinned by a descriptor: from open_pidfd on, the handle means that one process, whatever
// becomes of its number.
//
// Guarantee: signal_pidfd reaches the pinned process or nobody. Limit: open_pidfd pins whoever has
// the number *now*; that it is the process you mean must be shown afterwards, while has_ended is
// still false: as long as the pinned process has not been reaped, its number cannot name another,
// so a fact read from /proc/NUMBER between the open and a false has_ended is a fact about it.
//
// Sequence: open_pidfd → read what identifies it → has_ended is false → signal_pidfd.
// Windows: a process handle. There are no signals: 0 asks whether it may be ended; TERM and KILL
// end it at once (a process that is not one's own cannot be asked to); CONT does nothing; any other
// is kOsRefused `unsupported`. A process that may not even be looked at is an error, `eacces`.
//
// Errors: kOsRefused, cause `enosys`, `eperm` or `eacces`, where the kernel or a seccomp filter
// lacks the calls; ask pidfds_work() once and choose another way. `emfile` may pass.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"

namespace holdfast::os {

enum class Sent : std::uint8_t { kSent, kGone, kNotPermitted };

// Can a pidfd be opened and signalled through here? Tried on this very process with the null
// signal, which nothing but a filter or an old kernel refuses.
bool pidfds_work();

// nullopt: no process has this number.
Result<std::optional<Handle>> open_pidfd(Pid pid);

// True once every thread of the process has ended, reaped or not.
Result<bool> has_ended(const Handle& pidfd);

Result<Sent> signal_pidfd(const Handle& pidfd, int signal);

}  // namespace holdfast::os
