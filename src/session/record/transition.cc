// SPDX-License-Identifier: Apache-2.0
#include "session/record/transition.h"

namespace holdfast::session {
namespace {

constexpr std::array<std::string_view, kEvents> kNames{
    "supervisor there", "could not start", "gate opened",     "being ended",
    "to verify",        "confirmed",       "refuted",         "exited",
    "killed",           "timed out",       "supervisor gone", "adopted",
    "adopted to end",   "tree gone",       "rebooted",        "assumed gone"};

}  // namespace

std::string_view to_text(Event event) { return kNames[static_cast<std::size_t>(event)]; }

bool can_become(SessionState state, SessionState wanted) {
  std::array<bool, kSessionStates> reached{};
  reached[static_cast<std::size_t>(state)] = true;
  // As many rounds as there are states: no way is longer.
  for (std::size_t round = 0; round < kSessionStates; ++round) {
    for (const table::Row& row : table::kRows) {
      if (!reached[static_cast<std::size_t>(row.from)]) continue;
      for (const auto& to : row.to) {
        if (to) reached[static_cast<std::size_t>(*to)] = true;
      }
    }
  }
  return reached[static_cast<std::size_t>(wanted)];
}

}  // namespace holdfast::session
