// SPDX-License-Identifier: Apache-2.0
//
// owner_of: who counts the runs of a session, so that nobody else runs its command again: a step
// (`once`, `attempt`, `notify`, `tick`), a series (`run --iterations`) or an item of a loop.
//
// Limit: a look without locks. Who begins afterwards finds the name taken, or its own run first.
// Errors: a record that cannot be read is an Error (of item_log.h, series_store.h, step_store.h),
// never "nobody": a damaged log of one loop may have named any session.
#pragma once

#include <optional>
#include <string>

#include "base/id128.h"
#include "base/result.h"
#include "os/dir/dir.h"
#include "session/record/store.h"

namespace holdfast::loop {

struct SessionOwner {
  std::string what{};     // "the step 'once:K'"
  std::string instead{};  // the command that counts its runs
};

// nullopt: nobody. `run` is the session's last run: of a series only its own iterations count.
Result<std::optional<SessionOwner>> owner_of(const os::Dir& home,
                                             const session::SessionDir& session, const Id128& run);

}  // namespace holdfast::loop
