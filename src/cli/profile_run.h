// SPDX-License-Identifier: Apache-2.0
//
// `run --profile`: validate all of it, do the steps, start the session.
//
// Nothing is done before everything that can be checked was checked, the command line included; and
// nothing is started after a step that failed.
#pragma once

#include "base/result.h"
#include "cli/args.h"
#include "cli/context.h"
#include "os/handle.h"

namespace holdfast::cli {

// `args` with --profile. Errors: nothing was done; kUsage, and those of profile_find.h and
// profile_plan.h. Whatever fails later is answered as perform_run does.
Result<int> run_profile(Context& context, const Args& args, os::Handle status);

}  // namespace holdfast::cli
