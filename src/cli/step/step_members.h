// SPDX-License-Identifier: Apache-2.0
//
// `show`, `list` and `forget` of the four kinds of steps: one implementation, and the parts of
// their specs that are the same.
#pragma once

#include <array>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/step/step_options.h"
#include "cli/step/step_view.h"
#include "format/loop/step_record.h"

namespace holdfast::cli {

Result<int> show_step(Context& context, const Args& args, StepKind kind);
Result<int> list_steps(Context& context, const Args& args, StepKind kind);
Result<int> forget_step(Context& context, const Args& args, StepKind kind);

inline constexpr std::array kStepKeyArguments{kStepKey};

inline constexpr std::array kStepShowExits{
    ExitNote{ExitCode::kDone, "shown"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged; it was left as it is"},
    ExitNote{ExitCode::kNo, "nothing is known of it"},
    ExitNote{ExitCode::kCannotTell,
             "its record is of a newer holdfast; or whether its last run is over cannot be told, "
             "and it is shown as far as it is known"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
};
inline constexpr std::array kStepListExits{
    ExitNote{ExitCode::kDone, "listed; there may be none"},
    ExitNote{ExitCode::kCannotTell, "one cannot be read; all are listed, that one with the reason"},
};
inline constexpr std::array kStepForgetExits{
    ExitNote{ExitCode::kDone, "forgotten"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged; it was left as it is"},
    ExitNote{ExitCode::kNo, "nothing is known of it"},
    ExitNote{ExitCode::kCannotTell, "whether its last run is over cannot be told; nothing changed"},
    ExitNote{ExitCode::kBusy, "it runs now; nothing changed"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
};

inline constexpr std::array kStepListFields{
    JsonField{"steps",
              "a list of what `show` has for each, in the order of their keys; of one that cannot "
              "be read `key`, `state` null and `error`"},
};
inline constexpr std::array kStepForgetFields{
    JsonField{"key", "of the step"},
    JsonField{"state", "that it was in"},
};

inline constexpr std::array kStepForgetOptions{
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "why, for the journal"},
};

}  // namespace holdfast::cli
