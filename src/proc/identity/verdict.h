// SPDX-License-Identifier: Apache-2.0
//
// Is the process that an identity means alive? Live, dead with a proof, or unknown with a reason.
//
// Guarantee: kDead is said only on proof. Whatever fails on the way (no rights, no descriptors, no
// /proc) makes the answer kUnknown, never kDead. While the answer is kLive, `pidfd` means that very
// process, so that what is done next cannot reach another. Where the kernel has no pidfds it is
// empty, and "live" was true at one moment.
//
// The proofs of death (`evidence` is one of these words; they are stable):
//   pidfd-ended          whoever has the number has ended, every thread of it, reaped or not: the
//                        one who is meant, or one who came after it
//   no-such-process      nobody has the number in the pid namespace in which it counts
//   recycled             the number has gone to another process
//   zombie               as pidfd-ended, seen without a pidfd
//   other-boot           this machine has been booted since
//   namespace-gone       the number counts in a pid namespace that is gone (proc/tree/process_table.h)
// The reasons of not knowing:
//   other-host           the record is of another machine
//   other-boot-unproven  it is of another boot, and that it was this machine's cannot be shown
//   other-pid-namespace  the number counts in another pid namespace, which is there, or may be
//   other-time-namespace the start times do not compare, and there is no pidfs number to compare
//   no-pid               the identity has no number that a process could have
//   hidepid              somebody has the number and may not be looked at
//   no-proc              /proc is missing, or of another pid namespace
//   anything else        the `cause` of the error that came in between: `emfile`, `eacces`
// And of kLive: `running`. A process that may not be signalled (EPERM) is live like any other, and
// so is one whose first thread has ended while others run.
//
// Another boot is a proof only together with the same machine. A machine id in a container is
// whatever its image holds, perhaps the same one on a hundred hosts; it names a machine only when
// it was read outside any container: in the initial pid namespace, both then and now. In all other
// cases it is `other-boot-unproven`. Who has a proof of its own that the other boot is over (the
// state lies on a file system that only one kernel can mount) may go on from there; a container
// that merely shares this kernel has the same boot id and is not concerned.
//
// `patience`: after a kill the kernel frees the locks of a process some microseconds before its
// pidfd becomes readable. Who has just been given such a lock waits that long for the end of the
// process that is still live (rounded up to milliseconds); the wait ends with the process.
//
// Limit: virtual machines cloned with their machine id are one machine to this judge.
//
// Windows: a process that may not be asked (access denied) is unknown, `hidepid`; there are no
// namespaces, and the boot is told by its moment (os/machine/machine_id.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "os/sys/handle.h"
#include "proc/identity/identity.h"

namespace holdfast::proc {

enum class Life : std::uint8_t { kLive, kDead, kUnknown };

struct LifeVerdict {
  Life life = Life::kUnknown;
  std::string evidence;
  os::Handle pidfd{};  // of a live one; empty otherwise
};

LifeVerdict judge(const Identity& identity, Duration patience = Duration::zero());

// The part that needs no look at the process: can its number be looked up from where `own` is?
// nullopt: yes.
std::optional<LifeVerdict> judge_place(const Identity& identity, const Identity& own);

}  // namespace holdfast::proc
