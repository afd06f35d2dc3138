// SPDX-License-Identifier: Apache-2.0
//
// From a checked order to the exit code: what `run` and `resume` have in common.
#pragma once

#include <string>

#include "base/error.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "os/sys/handle.h"
#include "run/session/order.h"
#include "supervise/report.h"

namespace holdfast::cli {

// `status` is the descriptor of --status-fd; empty where there is none. Everything is said here:
// the document, the notes, the error.
int perform_run(Context& context, const run::RunOrder& order, os::Handle status);

// Why a profile's run is not started, and which of its steps says so.
struct RunRefusal {
  Error error;
  std::string step;
};

// The same end for a run that was never started: the code is that of a wrapper before its command.
int refuse_run(Context& context, const run::RunOrder& order, const RunRefusal& refusal,
               os::Handle status);

// The end of a run that was too late, under --if-busy skip: `report.fault` says who was first. On
// record, and 0; where it cannot be recorded, what it would have been without the option.
int skip_run(Context& context, const run::RunOrder& order, supervise::RunReport& report,
             os::Handle status);

// What is meant to outlive the command that starts it cannot be started inside a run.
//
// A run ends with its whole tree: its supervisor is the reaper of everything below it, and neither
// a session of one's own nor another control group gets a process out of that. On Windows the job
// does the same. So a run that is detached there would be ended with the outer one, after its
// caller was told that it goes on. To let it out, the proof of an empty tree would have to know an
// exception; it has none. It is refused instead, the same way on every system.
//
// Inside is who carries HOLDFAST_RUN, which the commands of `write`, `update` and `until` do, too.
// HOLDFAST_DEADLINE means a lease (`lock --ttl`): what runs under it is ended when it is lost.
// Limit: who was started there with another environment (`env -i`) is not told from one outside.
inline constexpr const char* kInsteadOfDetach =
    "start it from outside, or leave --detach out: with `&` it runs beside you until then";

// `what` is refused inside a run, and `instead` says what to do there. Errors: kUsage `inside-run`,
// `inside-lease`.
Result<> refuse_inside_run(const std::string& what, const std::string& instead);

}  // namespace holdfast::cli
