// SPDX-License-Identifier: Apache-2.0
//
// run_wrapped: runs one command as a child of this process and waits for its end. Nothing stands
// between: no supervisor, no deadline, and what the command leaves behind is left alone, as
// flock(1) does. For a tree that must be ended or waited for there is run.h.
//
// Guarantees:
//   - The command stays in the caller's process group, with its stdin and terminal. Signals are
//     passed on as in pass_signals.h; stop signals stop this process too, as a job.
//   - CallerHooks::born is called before the first byte of the command runs. If this process dies
//     before the gate is open, the command never runs; if it dies later, the command goes on.
//   - Other children of this process are neither signalled nor reaped.
//
// Signals: on return, also of an Error, the mask is as the caller had it.
// Errors: nothing was started, or the caller_hooks's own. Later trouble is part of the report, whose
// `left_alone` is true: whether anything of the command is left was not asked.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/spawn/spawn.h"
#include "supervise/caller_hooks.h"
#include "supervise/report.h"

namespace holdfast::supervise {

struct WrapRequest {
  std::vector<std::string> argv;  // at least the name
  os::StdoutTo stdout_to = os::StdoutTo::kStdout;
  std::vector<std::string> environment{};  // these three as in os/spawn/spawn.h
  std::vector<std::string> environment_without{};
  std::vector<os::NativeHandle> inherit{};
};

Result<RunReport> run_wrapped(const Clock& clock, const WrapRequest& request,
                              CallerHooks& caller_hooks);

}  // namespace holdfast::supervise
