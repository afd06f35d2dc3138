// SPDX-License-Identifier: Apache-2.0
//
// How the outcome of `until` is said.
#pragma once

#include <array>

#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "loop/step/until.h"

namespace holdfast::cli {

Json until_fields(const loop::UntilOutcome& outcome);
// Returns the exit code. `by_budget`: the time that is up is that of the budget.
int say_until(Context& context, const loop::UntilOutcome& outcome,
              const loop::UntilRequest& request, bool by_budget);

inline constexpr std::array kUntilExits{
    ExitNote{ExitCode::kDone, "it said yes"},
    ExitNote{ExitCode::kUsage, "the command line is wrong; nothing was run"},
    ExitNote{ExitCode::kNo, "it said never"},
    ExitNote{ExitCode::kCannotTell, "time is up, and the last answer was none"},
    ExitNote{ExitCode::kDeadline, "time is up, and the last answer was: not yet"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

inline constexpr std::array kUntilFields{
    JsonField{"result",
              "`pass`, `fail`, `not-yet` or `unknown` (both: time is up), `not-started`, "
              "`interrupted`"},
    JsonField{"tries", "how often it was asked"},
    JsonField{"last_code", "the exit code of the last try; null where it has none"},
    JsonField{"last_signal", "that it died of; else null"},
    JsonField{"waited_ms", "how long it took, all in all"},
};

}  // namespace holdfast::cli
