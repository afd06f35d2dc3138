// SPDX-License-Identifier: Apache-2.0
//
// `run --profile`: validate all of it, do the steps, start the session.
//
// Nothing is done before everything that can be checked was checked, the command line included; and
// nothing is started after a step that failed.
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"
#include "cli/session/run_perform.h"
#include "os/sys/handle.h"
#include "run/session/order.h"

namespace holdfast::cli {

// The order of a profile's run, its steps done; or why one of them keeps it from being started.
struct ProfileRun {
  run::RunOrder order{};
  std::optional<RunRefusal> refusal{};
};
// `args` with --profile. Errors: nothing was done; kUsage, and those of profile_plan.h and
// profile_plan.h.
Result<ProfileRun> prepare_profile_run(Context& context, const Args& args);

// The same, and runs it. Errors: as above. Whatever fails later is answered as perform_run does.
Result<int> run_profile(Context& context, const Args& args, os::Handle status);

}  // namespace holdfast::cli
