// SPDX-License-Identifier: Apache-2.0
//
// One's own children: adopting the orphans of a tree, reaping, and the one function that signals by
// number.
//
// Guarantees: reap_any says kNoChildren only when the kernel says ECHILD, which for a subreaper is
// the proof that nothing of its tree is left. signal_own_child first makes the kernel confirm that
// the number is this process's own unreaped child; until this process itself reaps it, the number
// cannot name another. So: do not reap in one thread while another signals.
//
// On Windows a child is one that spawn() made in the calling thread; nothing is adopted, and how
// one ended is read out of its exit code (child_win.h). There is no fork: `unsupported`.
//
// Limits: reap_any reaps *every* child, so it is for a process that has none but its own
// (supervise/ forks one for that purpose). A caller whose parent left SIGCHLD ignored has no
// children to reap: block_signals (os/signal/signals.h) sets it back first.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "base/result.h"
#include "os/process/pid.h"
#include "os/process/pidfd.h"
#include "os/sys/handle.h"

namespace holdfast::os {

struct NoneEnded {};   // children are left, none of them has ended
struct NoChildren {};  // ECHILD
using Reaped = std::variant<ChildEnd, NoneEnded, NoChildren>;

// From now on this process inherits the orphans of its descendants, instead of init.
Result<> become_subreaper();

Result<Reaped> reap_any();

// nullopt: it has not ended.
Result<std::optional<ChildEnd>> reap_if_ended(Pid pid);

// Waits without limit for one child; for a child that is known to be about to exit.
Result<ChildEnd> reap_child(Pid pid);

// Has this child been stopped since the last question? The answer is given once for each stop.
Result<bool> take_stop(Pid pid);

// kGone: no such child of this process (any more).
Result<Sent> signal_own_child(Pid pid, int signal);

// Signals each child of this thread, as far as one look tells; allocates nothing unless it fails,
// so that it works when memory has run out. Needs a kernel with /proc/PID/task/TID/children.
Result<> signal_own_children(int signal);

// A child and, where the kernel has it, its pidfd. signal() uses the pidfd, else the number.
//
// The init of a pid namespace (SpawnRequest::own_pid_namespace) stands for the command in it:
// signals but KILL go to the command, through `relay`, and KILL ends the whole namespace. How the
// command itself ended is in `outcome`, readable when it has, while others may still be in there.
struct OwnChild {
  Pid pid{};
  Handle pidfd;
  Handle relay{};
  Handle outcome{};

  [[nodiscard]] Result<Sent> signal(int signal) const;
  // Of an init: to everybody in its namespace but itself, in one step of the kernel. The init is
  // let go on if somebody has stopped it; kGone where it has ended.
  [[nodiscard]] Result<Sent> signal_namespace(int signal) const;
};

// A copy of this process that goes on from here, with the same descriptors and memory. For a
// program without threads: in the copy, other threads are missing and may have left locks behind.
struct Forked {
  bool in_child = false;
  OwnChild child;  // in the parent
};
// At a limit of processes (`eagain`) or without memory it is kOsRefused.
Result<Forked> fork_process();
// The same, and the child is born in the control group (v2) whose directory this is. Where the
// kernel or a filter lacks clone3, it is moved there before this returns: so it must do nothing but
// wait until then. After an Error, which is also that it could not be moved, there is no child.
Result<Forked> fork_into_cgroup(NativeHandle group);

// Ends this process at once: no destructors, no buffers.
[[noreturn]] void exit_process(int code);

// This process leads a session and a process group of its own: what is sent to its old group, the
// terminal's signals among them, no longer reaches it. Not for a process that leads a group
// already.
Result<> leave_session();
[[nodiscard]] bool leads_session();

}  // namespace holdfast::os
