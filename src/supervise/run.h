// SPDX-License-Identifier: Apache-2.0
//
// run_foreground: runs a command to the end of its whole tree, in the caller's terminal.
//
// Two processes stand behind it. The *shim*, a fork of the caller, is the subreaper and parent of
// the command; the caller itself is the *front end*, which passes signals on and waits for the
// shim's report. Two, because the caller may have children that it did not start here
// (`exec holdfast run …` in a shell with background jobs): only a process that is born childless
// may reap everything and take ECHILD for the proof that its tree is empty.
//
// Guarantees:
//   - The command stays in the caller's process group, with its stdin and terminal.
//   - When the deadline passes (boot clock), the tree gets TERM and CONT, after `grace` KILL, until
//     the kernel says that nothing is left. The same, without the deadline's verdict, when the
//     command has ended and left others behind. The deadline counts until the command's own end.
//   - setsid, double forks, orphans, ignored TERM and stopped processes do not escape it.
//   - No other process is signalled or reaped.
//   - Signals that somebody sends to the front end or the shim go to the command. The terminal's
//     own (Ctrl-C) do not: the command has got them already. Stop signals stop the front end, so
//     that the caller's shell sees the job stop; the shim goes on and so does the deadline.
//   - If the front end is killed, the shim carries on to the end all the same.
//
// Limits: a process that changes its user may not be killable, one in uninterruptible sleep does
// not die; after kPatience they are named as survivors. Work that the command had others do (a
// container daemon, at, systemd-run) is not in its tree. If the shim itself is killed (SIGKILL),
// the tree is unproven: `lost`. A signal to the whole process group reaches the command directly
// and again through the front end.
//
// Signals: on return the mask is as the caller had it.
// Errors: nothing was started. Later trouble is part of the report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/spawn/spawn.h"
#include "supervise/report.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

struct RunRequest {
  std::vector<std::string> argv;  // at least the name
  std::optional<Duration> timeout;
  Duration grace = kDefaultGrace;
  os::StdoutTo stdout_to = os::StdoutTo::kStdout;
};

Result<RunReport> run_foreground(const Clock& clock, const RunRequest& request);

}  // namespace holdfast::supervise
