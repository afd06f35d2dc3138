// SPDX-License-Identifier: Apache-2.0
//
// Forgetting steps: because somebody says so, or because they decide nothing any more.
//
// Retiring: the record of a step that decides nothing any more is removed, so that a home is as
// large as what is alive and recent (rule L12). What decides nothing: step_decide.h.
//
// Guarantee: the record is judged under the lock of the step, from a reading under that lock, and
// `step.forgotten` is in the journal before it goes. A step that begins at the same moment finds
// the old record or none, which decide the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "loop/step/step_intent.h"

namespace holdfast::loop {

// Drops what is known of a step, so that it begins anew. kNotFound; kBusy and kCannotTell while a
// run of it is, or may be, under way.
Result<StepRecord> forget_step(const StepServices& services, const StepName& name,
                               const std::string& reason);

struct RetiredSteps {
  std::uint64_t records = 0;
  std::vector<std::string> failed{};  // sentences; each stopped nothing
};

// `go_on` is asked between two of them.
Result<RetiredSteps> retire_lapsed_steps(const StepServices& services, Duration idle,
                                         const std::function<bool()>& go_on);

}  // namespace holdfast::loop
