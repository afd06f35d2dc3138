// SPDX-License-Identifier: Apache-2.0
//
// What `wait` answers for one session, for several, and for the first of several.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cli/frame/context.h"
#include "loop/series/wait_session.h"
#include "session/record/store.h"

namespace holdfast::cli {

using WaitedSessions = std::vector<std::optional<loop::Waited>>;

// One for each of `dirs`. `any`: the first of them was waited for; `of_state`: to come to a state.
int answer_waits(Context& context, std::span<const session::SessionDir> dirs,
                 const WaitedSessions& waits, bool any, bool of_state);

}  // namespace holdfast::cli
