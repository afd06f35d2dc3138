// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_home.h"

#include "os/spawn/env.h"
#include "runtime/home.h"

namespace holdfast::cli {

Result<std::unique_ptr<StepHome>> StepHome::open(const Context& context, const Clock& clock) {
  const HomeLocation location = HF_TRY(locate_home(context.home_option(), os::env));
  const Home home = HF_TRY(Home::open_or_create(location, clock));
  loop::StepStore steps(HF_TRY(home.open_part(HomePart::kOnce)));
  auto run = HF_TRY(RunHome::open(context, clock));
  return std::make_unique<StepHome>(clock, std::move(run), std::move(steps));
}

loop::StepServices StepHome::services() {
  return {.clock = clock_, .events = run_->events(), .sessions = run_->sessions(), .steps = steps_};
}

Result<std::optional<loop::StepStore>> steps_in_home(const Context& context) {
  const auto home = Home::open(HF_TRY(locate_home(context.home_option(), os::env)));
  if (!home && home.error().cause == "no-home-yet") return std::nullopt;
  if (!home) return fail(home.error());
  auto steps = HF_TRY(home->find_part(HomePart::kOnce));
  if (!steps) return std::nullopt;
  return loop::StepStore(*std::move(steps));
}

Result<std::optional<StepsToRead>> steps_to_read(const Context& context) {
  const auto home = Home::open(HF_TRY(locate_home(context.home_option(), os::env)));
  if (!home && home.error().cause == "no-home-yet") return std::nullopt;
  if (!home) return fail(home.error());
  auto steps = HF_TRY(home->find_part(HomePart::kOnce));
  if (!steps) return std::nullopt;
  auto sessions = HF_TRY(home->open_part(HomePart::kSessions));
  return StepsToRead{.steps = loop::StepStore(*std::move(steps)),
                     .sessions = session::SessionStore(std::move(sessions))};
}

}  // namespace holdfast::cli
