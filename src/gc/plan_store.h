// SPDX-License-Identifier: Apache-2.0
//
// Plans that wait for `gc --apply`: HOME/gc/plan-<id>.json, 0600.
//
// Guarantee: a plan is taken by one: its file is removed before anything of it is done. A plan of
// another boot, or older than kPlanLife, is refused. Plans that nobody took for kPlanKept are
// removed by the next clean-up.
//
// Errors: kNotFound `no-such-plan`; kRefused `outdated`; kCorrupt, kCannotTell of format/session/gc_plan.h.
#pragma once

#include <chrono>
#include <string_view>

#include "base/result.h"
#include "format/session/gc_plan.h"
#include "os/dir/dir.h"

namespace holdfast::gc {

inline constexpr Duration kPlanLife = std::chrono::hours(1);
inline constexpr Duration kPlanKept = std::chrono::hours(24);

Result<> store_plan(const os::Dir& home, const GcPlan& plan);
// `id` as it was typed.
Result<GcPlan> take_plan(const os::Dir& home, std::string_view id, const BootMoment& now);
// Best effort: what cannot be removed now is removed later.
void drop_old_plans(const os::Dir& home, WallTime now);

}  // namespace holdfast::gc
