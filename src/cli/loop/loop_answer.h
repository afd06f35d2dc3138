// SPDX-License-Identifier: Apache-2.0
//
// What `loop` says at its end, and what it would do.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "cli/loop/loop_state.h"
#include "cli/loop/loop_status.h"
#include "loop/item/engine.h"

namespace holdfast::cli {

// The ids of the source's last good answer, best first; none where there was none.
Result<std::vector<std::string>> last_listed(const LoopState& state);

// 0; 75 where it is paused, 69 where the source could not tell, 128+n where a signal ended it.
Result<int> answer_loop(Context& context, const LoopState& state, Result<loop::LoopReport> report);

// --dry-run.
Result<int> show_loop_plan(Context& context, const Clock& clock, const std::string& path,
                           file::TrustDir trust);

}  // namespace holdfast::cli
