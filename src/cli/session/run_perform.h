// SPDX-License-Identifier: Apache-2.0
//
// From a checked order to the exit code: what `run` and `resume` have in common.
#pragma once

#include <string>

#include "base/error.h"
#include "cli/frame/context.h"
#include "os/sys/handle.h"
#include "run/session/order.h"

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

}  // namespace holdfast::cli
