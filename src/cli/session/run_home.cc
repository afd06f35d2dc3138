// SPDX-License-Identifier: Apache-2.0
#include "cli/session/run_home.h"

#include "os/spawn/env.h"
#include "runtime/home.h"

namespace holdfast::cli {

Result<std::unique_ptr<RunHome>> RunHome::open(const Context& context, const Clock& clock) {
  const HomeLocation location = HF_TRY(locate_home(context.home_option(), os::env));
  const Home home = HF_TRY(Home::open_or_create(location, clock));
  session::SessionStore sessions(HF_TRY(home.open_part(HomePart::kSessions)));
  auto locks = HF_TRY(LockHome::open(context, clock, lock::AnyFileSystem::kRefuse));
  return std::make_unique<RunHome>(std::move(sessions), std::move(locks));
}

}  // namespace holdfast::cli
