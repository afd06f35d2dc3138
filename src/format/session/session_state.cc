// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "format/session/session_record.h"

namespace holdfast {
namespace {

constexpr std::array<std::string_view, kSessionStates> kSessionStateNames{
    "reserved", "starting", "running",   "stopping", "verifying",  "orphaned",
    "exited",   "failed",   "timed_out", "killed",   "unverified", "lost"};

}  // namespace

std::string_view to_text(SessionState state) {
  return kSessionStateNames[static_cast<std::size_t>(state)];
}

std::optional<SessionState> parse_session_state(std::string_view text) {
  const auto found = std::ranges::find(kSessionStateNames, text);
  if (found == kSessionStateNames.end()) return std::nullopt;
  return static_cast<SessionState>(found - kSessionStateNames.begin());
}

}  // namespace holdfast
