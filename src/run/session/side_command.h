// SPDX-License-Identifier: Apache-2.0
//
// A command line beside the run's own command: its verification, or what is to be done at its end.
// It runs in the same supervisor, to the end of its own tree, when nothing of the command is left.
//
// Its stdin is empty; what it prints goes to the run's log and to the caller's stderr.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "os/signal/signals.h"
#include "run/session/log_file.h"
#include "run/session/order.h"
#include "session/record/control.h"
#include "supervise/report.h"

namespace holdfast::run {

struct SideCommand {
  std::string line;  // for /bin/sh -c
  std::optional<Duration> timeout{};
  std::vector<std::string> environment{};
  std::string directory{};
  session::Control* control = nullptr;  // through which it may be asked to stop
};

// `log` may be null.
supervise::TreeReport run_side_command(const Clock& clock, const SideCommand& command,
                                       const os::SignalState& signals, Ground ground, LogFile* log);

// "exited with 2", "took too long", …
std::string describe_end(const supervise::TreeReport& report);

// What the report of a verification says of the claim.
supervise::Verified verdict_of(const supervise::TreeReport& report);

}  // namespace holdfast::run
