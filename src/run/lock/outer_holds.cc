// SPDX-License-Identifier: Apache-2.0
#include "run/lock/outer_holds.h"

#include <ranges>

#include "lock/grant/by_token.h"

namespace holdfast::run {

Result<> OuterHolds::bind(const LockChain& chain, const ProcessIdentity& work, const Clock& clock) {
  work_ = work;
  for (const ChainEntry& entry : chain) {
    lock::Place place = HF_TRY(lock::place_of_ledger(entry.kind, entry.ledger));
    auto before = HF_TRY(lock::bind_by_token(place, entry.token, nullptr, work, clock));
    if (!before) continue;
    bound_.push_back({.place = std::move(place), .token = entry.token, .before = *before});
  }
  return {};
}

void OuterHolds::unbind(const Clock& clock) {
  for (const Bound& one : std::views::reverse(bound_)) {
    const auto unbound = lock::bind_by_token(one.place, one.token, &work_, one.before, clock);
    static_cast<void>(unbound);  // then it names a dead process, and its holder gives it back
  }
  bound_.clear();
}

}  // namespace holdfast::run
