// SPDX-License-Identifier: Apache-2.0
//
// A supervisor that outlives its caller where there is no fork: another start of this program.
// Windows only.
//
// The front end starts its own program again, with words that lead it to the same place, and with
// a note in the environment: "you are the supervisor, and these handles are your pipes". What is to
// be done goes through one of the pipes, not through the words, since others can read those.
//
// Guarantees: the pipes' ends are inherited by the supervisor and by nobody else: the caller gets
// its answer when the supervisor says so or is gone. In the background it shares nothing with the
// caller: no stream, no visible console; whoever reads the caller's output (`$(...)`) is not kept.
// Until it is let go it dies with the caller, and then no more.
//
// Limit: a caller that is in a job object itself takes it along when that job is ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/signal/signals.h"
#include "os/sys/handle.h"
#include "supervise/front_end.h"
#include "supervise/shim_host.h"

namespace holdfast::supervise {

struct HostedProgram {
  std::vector<std::string> argv;  // without the program itself; leads to hosted()
  std::string order;
  bool in_background = false;
};

// For run_hosted. Leaves the reading ends in `pipes`, and those alone.
Result<ShimHost> host_program(const HostedProgram& program, const os::SignalState& signals,
                              SupervisorPipes& pipes);

struct Hosted {
  std::string order;
  os::Handle report;
  os::Handle news;
};

// In the other start. nullopt: this process is none. Asked once: the note is taken away, so that
// what is started from here does not find it. kRefused `bad-note`: somebody else wrote it.
Result<std::optional<Hosted>> hosted();

// Does the work, sends the report and ends this process.
[[noreturn]] void be_hosted(const Clock& clock, Hosted hosted, const SupervisorWork& work);

}  // namespace holdfast::supervise
