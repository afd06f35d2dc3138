// SPDX-License-Identifier: Apache-2.0
//
// How the reports of `stop` are shown, and its exit code.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/frame/context.h"
#include "run/orphan/stop.h"

namespace holdfast::cli {

enum class StopTargets : std::uint8_t {
  kNamed,
  kAll,  // one that is over by now is what was wanted
};

// Emits, notes and warns. Returns the code: of several the most serious one.
Result<int> answer_stop(Context& context, const std::vector<run::StopReport>& reports,
                        StopTargets targets);

}  // namespace holdfast::cli
