// SPDX-License-Identifier: Apache-2.0
//
// What a profile does before its session starts, in this order: `ensure`, each `refresh`, `layers`,
// `gc`. Each step is what the command of that name does (`refresh`: `write`), journal included. The
// first that fails ends it; what was done before it stays done, and may be done again. Only `gc`
// never fails: what it cannot do is a warning. A signal that asks to end, in any of them, ends it.
#pragma once

#include <expected>
#include <optional>

#include "cli/frame/context.h"
#include "cli/profile/profile_plan.h"
#include "cli/session/run_perform.h"
#include "file/layers/layers.h"

namespace holdfast::cli {

struct StepsDone {
  std::optional<file::LayerList> layers{};
};

// `ensure` refuses drift too, 66, as `holdfast ensure` does.
std::expected<StepsDone, RunRefusal> do_steps(Context& context, const ProfilePlan& plan);

}  // namespace holdfast::cli
