// SPDX-License-Identifier: Apache-2.0
//
// What is shown of a session, whichever way: the view, and what follows from it and the clocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cli/frame/context.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::cli {

struct SessionFacts {
  session::SessionView view;
  std::optional<std::string> log{};          // its path, where one is kept
  std::optional<std::int32_t> pid{};         // of the command, where its number counts here
  std::optional<std::int32_t> supervisor{};  // its number, likewise
  std::optional<Duration> elapsed{};         // since the start, or all that it took
  std::optional<Duration> deadline_left{};   // negative: it is past
  std::optional<WallTime> last_output{};
};

// `dir` is where the log lies: the session's, or that of an earlier run.
SessionFacts facts_of(session::SessionView view, const os::Dir& dir, const Clock& clock);

// `name state exit_code signal pid started ended log verified containment …`
Json session_json(const SessionFacts& facts);

// The command line for people, safe for a terminal.
std::string command_text(const SessionRecord& record);
// Says that a part of the output could not be kept (a full disk), if it could not.
void warn_of_lost_log(Context& context, const SessionRecord& record);
Context::Paint paint_of(const session::SessionView& view);

}  // namespace holdfast::cli
