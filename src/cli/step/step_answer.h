// SPDX-License-Identifier: Apache-2.0
//
// How the outcome of a step is said: the fields of --json, the exit code, and the sentences for
// people. Pure.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "cli/frame/context.h"
#include "loop/step/step_run.h"
#include "supervise/verdict.h"

namespace holdfast::cli {

struct StepAnswered {
  supervise::Verdict verdict{};  // of the run, or holdfast's own where nothing was run
  std::string decision{};
  std::optional<Error> error{};
  std::string note{};  // empty: nothing to say
};

// For the journal: why it was not run, where a record does not tell that anyway. Empty: nothing.
std::string_view event_of(const loop::StepOutcome& outcome, StepKind kind);

StepAnswered answer_of(const loop::StepOutcome& outcome, const loop::StepRequest& request,
                       const std::string& command);
Json step_fields(const loop::StepOutcome& outcome, const StepAnswered& answer,
                 const loop::StepRequest& request);

}  // namespace holdfast::cli
