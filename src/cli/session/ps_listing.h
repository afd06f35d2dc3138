// SPDX-License-Identifier: Apache-2.0
//
// Which sessions `ps` shows, and in which order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/session/session_table.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

// What is to be shown.
struct PsFilter {
  bool all = false;
  std::vector<std::string> globs{};   // of names; none: every name
  std::vector<std::string> states{};  // as shown; none: every state
  std::optional<WallTime> since{};

  [[nodiscard]] bool wants(std::string_view name) const;
  [[nodiscard]] bool wants(const SessionFacts& facts) const;
  // What has ended is shown to who asks for all, for a state, or for a time.
  [[nodiscard]] bool wants_ended() const { return all || !states.empty() || since; }
  [[nodiscard]] bool is_narrow() const { return !globs.empty() || !states.empty() || since; }
};
// Errors: kUsage.
Result<PsFilter> ps_filter(const Args& args, WallTime now);

struct PsListing {
  std::vector<SessionRow> rows{};
  std::size_t over = 0;      // final ones that are not shown
  std::size_t internal = 0;  // of loops and notices, likewise
  std::size_t orphaned = 0;
  std::optional<Error> trouble{};  // with the first session that could not be read
};

Result<PsListing> ps_listing(runtime::Runtime& runtime, const PsFilter& filter);
// By `key`, the newest, longest or last first; what has no such time comes last. Names decide the
// rest.
void sort_rows(std::vector<SessionRow>& rows, std::string_view key);

}  // namespace holdfast::cli
