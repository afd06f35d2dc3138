// SPDX-License-Identifier: Apache-2.0
//
// Owner: the process that a run is bound to (`--owner`). When that process ends, the tree of the run
// is ended, whoever holds its streams open.
//
// It is its identity (boot, pid namespace, pid, start) that is watched, through a pidfd: a program
// that it becomes by exec is the same owner, a process that gets its number later is not.
//
// Errors of watch(): kNotFound `owner-gone`: it is dead, by proof; kCannotTell `owner-unknown`: nobody
// can tell from here, or its end could not be seen. Nothing is to be started then.
#pragma once

#include <optional>

#include "base/result.h"
#include "format/session/process_identity.h"
#include "format/session/session_record.h"
#include "os/sys/handle.h"

namespace holdfast::run {

class Owner {
 public:
  static Result<Owner> watch(const ProcessIdentity& owner);

  // What cannot be told does not end a run that was started.
  [[nodiscard]] bool has_ended() const;
  // Readable when it has ended.
  [[nodiscard]] const os::Handle& handle() const { return pidfd_; }
  // Who asked for the end, for the record.
  [[nodiscard]] SessionAsked asked() const;

 private:
  Owner(os::Handle pidfd, std::int32_t pid) : pidfd_(std::move(pidfd)), pid_(pid) {}

  os::Handle pidfd_;
  std::int32_t pid_;
};

// kBusy: the owner ended before the command was let go.
Error owner_gone(const std::string& command);

}  // namespace holdfast::run
