// SPDX-License-Identifier: Apache-2.0
//
// What the kernel says of a process that need not be one's own child: whether its number is taken,
// and through a descriptor that pins it who it is, whether it has ended, and how.
//
// From open_pidfd on, the handle means that one process, whatever becomes of its number.
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

// Does anybody have this number? Asked of the kernel itself, where /proc may hide processes
// (hidepid) and a pidfd is not to be had.
//
// False is the kernel's ESRCH: nobody, in the caller's pid namespace. True says nothing about who
// it is: a process, reaped or not, or one thread of a process with another number.
// Windows: true as long as anybody has a handle of the process, and for one that may not be asked.
Result<bool> pid_in_use(Pid pid);

// The number that the kernel gives to a process besides its pid and never again until it reboots:
// the inode of its pidfd, from Linux 6.9 on. It is the same in every namespace.
//
// Limit: before 6.9 all pidfds share one meaningless inode, and the answer is 0: not known.
// Windows: always 0.
Result<std::uint64_t> pidfs_inode(const Handle& pidfd);

struct ChildEnd {
  enum class How : std::uint8_t { kExited, kSignalled };
  Pid pid{};
  How how = How::kExited;
  int value = 0;  // the exit status, or the number of the signal
};

// How a process that is not one's own child ended, asked of its pidfd.
//
// The kernel keeps that for the holders of a pidfd that was open when the process was reaped
// (PIDFD_GET_INFO, Linux 6.15 and later). Three answers: how it ended; kNotYet: it has not been
// reaped (a zombie whose parent does not look); kCannotTell: this kernel does not say.
//
// Windows: every handle tells (child_win.h has how a code is read).
struct PidfdExit {
  enum class State : std::uint8_t { kEnded, kNotYet, kCannotTell };
  State state = State::kCannotTell;
  std::optional<ChildEnd> end{};  // of kEnded; its `pid` is 0
};

PidfdExit pidfd_exit(const Handle& pidfd);

}  // namespace holdfast::os
