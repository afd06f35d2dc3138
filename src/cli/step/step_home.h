// SPDX-License-Identifier: Apache-2.0
//
// The home for steps: their records, their sessions, its locks and its journal.
#pragma once

#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "cli/session/run_home.h"
#include "loop/step/step_intent.h"
#include "loop/step/step_store.h"
#include "session/record/store.h"

namespace holdfast::cli {

// For who may change something. Not movable.
class StepHome {
 public:
  // Made where it is missing. The clock must outlive it.
  static Result<std::unique_ptr<StepHome>> open(const Context& context, const Clock& clock);

  [[nodiscard]] RunHome& run() { return *run_; }
  [[nodiscard]] const loop::StepStore& steps() const { return steps_; }
  [[nodiscard]] loop::StepServices services();

  StepHome(const Clock& clock, std::unique_ptr<RunHome> run, loop::StepStore steps)
      : clock_(clock), run_(std::move(run)), steps_(std::move(steps)) {}

 private:
  const Clock& clock_;
  std::unique_ptr<RunHome> run_;
  loop::StepStore steps_;
};

// nullopt: there is no home yet, or no step in it. Makes nothing.
Result<std::optional<loop::StepStore>> steps_in_home(const Context& context);

// For who only looks: nullopt where there is no home yet, or no step in it.
struct StepsToRead {
  loop::StepStore steps;
  session::SessionStore sessions;
};
Result<std::optional<StepsToRead>> steps_to_read(const Context& context);

}  // namespace holdfast::cli
