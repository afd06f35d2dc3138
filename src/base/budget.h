// SPDX-License-Identifier: Apache-2.0
//
// The budget: the time that this program gave itself as a whole (`--budget D`), counted awake from
// its start. What waits below asks here how long it still may; without a budget nothing changes.
//
// Guarantee: no wait that asks here goes beyond the budget. Nothing is interrupted: a write that
// has begun is finished, and a record that was promised is written.
//
// Limit: it bounds waiting, not work. A disk that takes a minute to sync takes a minute. A tenth of
// it (a quarter of a second at most) is kept back from the waits, for the records at the end.
//
// One per program; a child by fork has it too, until it forgets it.
#pragma once

#include <optional>

#include "base/clock.h"

namespace holdfast {

// Once, at the start. `total` is more than zero.
void set_budget(MonoTime start, Duration total);
// For what outlives the program: a supervisor in the background, a keeper.
void forget_budget();

[[nodiscard]] std::optional<Duration> budget();

// When the last wait must be over; nullopt: there is no budget.
[[nodiscard]] std::optional<MonoTime> budget_end();

// How long a wait may take that was to take `wanted` (nullopt: any time).
struct Allowed {
  std::optional<Duration> time{};
  bool by_budget = false;  // it is the shorter one
};
[[nodiscard]] Allowed within_budget(std::optional<Duration> wanted, MonoTime now);

// The same for the short wait in front of a change or a record (a guard, the journal's lock): it
// may use what was kept back.
[[nodiscard]] Duration within_whole_budget(Duration wanted, MonoTime now);

// For a tree of processes, which needs time to be ended: a quarter of what is left, `grace` at
// most, lies between asking it to go and the end of the waits.
[[nodiscard]] Allowed tree_within_budget(std::optional<Duration> timeout, Duration grace,
                                         MonoTime now);

}  // namespace holdfast
