// SPDX-License-Identifier: Apache-2.0
#include "session/record/look.h"

namespace holdfast::session {

Result<std::optional<SessionView>> look(const SessionDir& dir) {
  // Each round but the last ends because somebody else wrote in between.
  constexpr int kMostRounds = 16;
  auto record = HF_TRY(dir.read());
  for (int round = 0; record; ++round) {
    SessionView view = look_at(*record);
    if (view.state == record->state || round == kMostRounds) return view;
    auto again = HF_TRY(dir.read());
    if (again == record) return view;
    record = std::move(again);
  }
  return std::nullopt;
}

}  // namespace holdfast::session
