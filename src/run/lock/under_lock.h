// SPDX-License-Identifier: Apache-2.0
//
// run_under_lock: what `holdfast lock` does: get the lock, run the command under it, give it back.
//
// Guarantees: the command runs under the lock, or not at all, or without it for a reason that was
// allowed and is on record (fail_open.h). The lock lives as long as the command, also when this
// process is killed: the command has a copy of the lock's descriptor, and the record names it.
//
// Without a lease and without --wait-descendants nothing stands between this process and the
// command (supervise/wrap.h). With either, a supervisor does (supervise/front_end.h), which can end or
// wait for the whole tree.
//
// Sequence: fill a LockRunRequest; run_under_lock; say what came of it (cli/lock/lock_command.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/reporter.h"
#include "lock/grant/backend.h"
#include "lock/ledger/place.h"
#include "os/spawn/spawn.h"
#include "run/lock/fail_open.h"
#include "run/lock/lock_hooks.h"
#include "runtime/runtime.h"
#include "supervise/report.h"

namespace holdfast::run {

struct LockRunRequest {
  std::vector<std::string> argv;  // at least the name
  lock::LockId id;
  std::uint32_t slots = 0;       // one of so many slots of the name; 0: the lock itself
  Duration stagger{};            // of slots
  lock::AcquireRequest request;  // with the chain of the environment
  lock::AnyFileSystem any = lock::AnyFileSystem::kRefuse;
  FailOpenReasons fail_open{};
  OnLost on_lost = OnLost::kTerm;
  Duration grace{};  // between TERM and KILL when the lease is lost
  bool wait_descendants = false;
  bool say_waiting = false;  // to a person at a terminal: who is waited for
  os::StdoutTo stdout_to = os::StdoutTo::kStdout;
};

struct LockRunResult {
  std::string label;                              // of the lock, as far as it is known
  std::optional<lock::AcquireOutcome> outcome{};  // none: it could not be asked for
  std::optional<lock::Grant> grant{};             // none: the command did not run under it
  std::optional<std::string> open_reason{};       // the command ran without it
  std::optional<supervise::RunReport> report{};   // none: the command did not run
  std::optional<std::string> lost{};              // how, where it was lost while the command ran
  std::optional<Error> error{};                   // why the command did not run
};

LockRunResult run_under_lock(runtime::Runtime& runtime, Reporter& reporter,
                             const LockRunRequest& request);

}  // namespace holdfast::run
