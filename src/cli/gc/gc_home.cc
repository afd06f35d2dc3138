// SPDX-License-Identifier: Apache-2.0
#include "cli/gc/gc_home.h"

#include "loop/intent/claims.h"
#include "os/spawn/env.h"

namespace holdfast::cli {

Result<std::unique_ptr<GcHome>> GcHome::open(Context& context, const Clock& clock) {
  const HomeLocation location = HF_TRY(locate_home(context.home_option(), os::env));
  Home home = HF_TRY(Home::open_or_create(location, clock));
  auto run = HF_TRY(RunHome::open(context, clock));
  os::SignalFlag signals = HF_TRY(os::SignalFlag::listen());
  return std::make_unique<GcHome>(context, clock, std::move(home), std::move(run),
                                  std::move(signals));
}

Result<gc::ClaimOn> GcHome::claims() const {
  auto claims = HF_TRY(loop::Claims::read(home_.dir()));
  return [claims = std::make_shared<const loop::Claims>(std::move(claims))](
             const session::SessionDir& session) -> Result<std::optional<std::string>> {
    const auto by = HF_TRY(claims->on(session));
    if (!by) return std::nullopt;
    return std::string(*by);
  };
}

Result<std::optional<loop::StepStore>> GcHome::steps() const {
  auto once = HF_TRY(home_.find_part(HomePart::kOnce));
  if (!once) return std::nullopt;
  return loop::StepStore(*std::move(once));
}

gc::Services GcHome::services() {
  return {.sessions = run_->sessions(),
          .home = home_.dir(),
          .locks = run_->locks(),
          .events = run_->events(),
          .clock = clock_,
          .stop = signals_.flag(),
          .claims = [this] { return claims(); },
          .progress = [this](std::string_view what, std::uint64_t done,
                             std::uint64_t total) { context_.progress(what, done, total); }};
}

}  // namespace holdfast::cli
