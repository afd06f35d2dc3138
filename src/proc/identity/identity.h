// SPDX-License-Identifier: Apache-2.0
//
// Identity: which process is meant, so that it can be told from every other one, also after its
// number was given to another, after a reboot, and from inside a container.
//
// Two of its fields say where the others count, and are those of the *reader*, not of the process
// that is described:
//   pidns   the pid namespace in which `pid` is the number. A process in a container has another
//           number inside than outside.
//   timens  the boot clock by which `start` was read (os/machine/namespaces.h): the kernel shifts the start
//           times of all processes, also those outside, by the offset of whoever reads.
// What a process says of itself (own_identity) is both at once.
//
// What tells two processes of one boot apart is `pidfs`, which the kernel gives to no second
// process until it reboots (Linux 6.9 and later), or else `pid` with `start`. `start` counts in
// ticks of 10 ms: a number that is given out again within the tick in which its last owner started
// is not told apart, which errs towards "live". `uid` is for people and is never compared, and so
// are names and command lines, which are not even here.
//
// `machine` is zeros where nothing names the machine; zeros are never equal to anything
// (proc/identity/verdict.h).
//
// Sequence: own_identity, or pin, now; write the identity down; judge (proc/identity/verdict.h) later.
// Errors: kOsRefused, cause `no-proc`, without a /proc; kCannotTell, cause `no-proc`, with the
// /proc of another pid namespace; kCannotTell, cause `hidepid`, of a process that exists and may
// not be looked at. `emfile` may pass. Limits: a child that shares memory with its maker (vfork,
// CLONE_VM) gets its maker's own_identity. A virtual machine that was copied while it ran has two
// processes for each identity.
// Windows: `start` is the creation time in 100 ns since the boot, `pidfs` is not known, and `uid`
// is 0 for this user's own.
#pragma once

#include <cstdint>
#include <optional>

#include "base/id128.h"
#include "base/result.h"
#include "format/session/process_identity.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"

namespace holdfast::proc {

struct Identity {
  Id128 boot;
  Id128 machine;
  std::uint64_t pidns = 0;  // 0, as the next one, where the kernel has no such namespaces
  std::uint64_t timens = 0;
  os::Pid pid{};
  std::uint64_t start = 0;  // in clock ticks since boot
  std::uint64_t pidfs = 0;  // 0: not known
  std::uint32_t uid = 0;    // the effective one

  bool operator==(const Identity&) const = default;
};

// A process and the descriptor that keeps meaning it. The descriptor is empty where the kernel has
// no pidfds (os/process/pidfd.h).
struct Pinned {
  Identity identity;
  os::Handle pidfd;
};

// Of this process. Read once and after each fork; otherwise a copy from memory. Any thread may ask.
Result<Identity> own_identity();
// The same, read anew.
Result<Identity> read_own_identity();

// nullopt: no process has this number, or it has ended.
Result<std::optional<Identity>> identity_of(os::Pid pid);
Result<std::optional<Pinned>> pin(os::Pid pid);

// The same as identity_of, with half of the calls, for a child that this process has forked and not
// reaped: its number can be nobody else's. `uid` is this process's. nullopt: it has ended.
Result<std::optional<Identity>> identity_of_child(os::Pid child);

// os::open_pidfd with its failures sorted: nobody has the number; this kernel gives no pidfds, so
// that one has to do without; or a failure that may pass (`emfile`, `enfile`, `enomem`), for which
// nobody should do with less than they could have.
struct PinnedNumber {
  os::Handle pidfd;     // empty: nobody, or no pidfd to be had
  bool nobody = false;  // the kernel's ESRCH
};

Result<PinnedNumber> pin_number(os::Pid pid);

// Of a failed look into /proc: the rights are missing. The process may well be there.
bool says_hidden(const Error& error);

// Between the identity that is judged here and the one that records keep.
inline ProcessIdentity to_record(const Identity& identity) {
  return {.boot = identity.boot,
          .machine = identity.machine,
          .pidns = identity.pidns,
          .timens = identity.timens,
          .pid = os::number(identity.pid),
          .start = identity.start,
          .pidfs = identity.pidfs,
          .uid = identity.uid};
}

inline Identity from_record(const ProcessIdentity& identity) {
  return {.boot = identity.boot,
          .machine = identity.machine,
          .pidns = identity.pidns,
          .timens = identity.timens,
          .pid = os::Pid{identity.pid},
          .start = identity.start,
          .pidfs = identity.pidfs,
          .uid = identity.uid};
}

}  // namespace holdfast::proc
