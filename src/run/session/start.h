// SPDX-License-Identifier: Apache-2.0
//
// start_run: a command as a session, in the foreground to its end or detached until it runs.
//
// One process stands between the caller and the command: the supervisor (session_run.h), which
// holds the name, keeps the record and ends the tree. The caller itself only passes signals on and
// waits: if it is killed, the run goes on to its end and its record tells. On Windows that is so
// for a detached run; the supervisor of one in the foreground is a thread of the caller, whose
// death ends the run with its whole tree (supervise/shim_host.h).
//
// Errors: no supervisor could be made; nothing was started. Whatever it then meets is in the
// report's `fault`.
#pragma once

#include <optional>

#include "base/result.h"
#include "run/session/order.h"
#include "supervise/report.h"
#include "supervise/verdict.h"

namespace holdfast::run {

struct Started {
  std::optional<supervise::RunReport> report;  // none: detached, and the command runs
  os::Pid supervisor{};
  std::optional<int> asked_to_end{};  // the last signal that asked this process to end
};

Result<Started> start_run(const Services& services, const RunOrder& order);

// What this process answers, which waited for the end. If it was itself asked to end before the
// command had begun, that is 128 + the signal, reason `interrupted`; else the verdict of the report,
// which must be there.
supervise::Verdict judge_started(const Started& started);

}  // namespace holdfast::run
