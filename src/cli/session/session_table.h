// SPDX-License-Identifier: Apache-2.0
//
// Sessions for people: a table of all, and all that is known of one.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "cli/frame/context.h"
#include "cli/session/session_facts.h"

namespace holdfast::cli {

struct UnreadSession {
  std::string name;
  Error why;
};
using SessionRow = std::variant<SessionFacts, UnreadSession>;

// One line each, under a heading, as wide as the terminal. A narrow one has fewer columns.
std::string session_table(const Context& context, const std::vector<SessionRow>& rows,
                          WallTime now);
// A run of a session, for `history`.
struct RunRow {
  std::uint64_t number = 0;
  SessionRow row;
};
std::string history_table(const Context& context, const std::vector<RunRow>& rows, WallTime now);
// One fact to a line.
std::string session_text(const Context& context, const SessionFacts& facts, WallTime now);

}  // namespace holdfast::cli
