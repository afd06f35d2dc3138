// SPDX-License-Identifier: Apache-2.0
//
// `run --iterations`: from the command line to the exit code.
#pragma once

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"
#include "os/sys/handle.h"

namespace holdfast::cli {

// `status` is the descriptor of --status-fd; empty where there is none. Errors: kUsage, and those
// of profile_run.h; nothing was done. Whatever fails later is answered as `run` does.
Result<int> run_iterations(Context& context, const Args& args, os::Handle status);

}  // namespace holdfast::cli
