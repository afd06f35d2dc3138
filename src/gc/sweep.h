// SPDX-License-Identifier: Apache-2.0
//
// sweep: the clean-up as a whole: plan, journal, collect, purge.
//
// Guarantee: the journal has the whole list, durably, before the first workspace goes; where it
// refuses, nothing goes (kCannotTell or kIo, as it says). Beyond that one entry, one authority or
// one leftover that fails ends nothing.
//
// `holdfast gc` is sweep, `gc --plan` is plan_only, `gc --apply` is apply.
#pragma once

#include <string_view>

#include "base/result.h"
#include "format/session/gc_plan.h"
#include "gc/options.h"

namespace holdfast::gc {

// Each fills the report; after an error, as far as it came.
Result<> sweep(const Services& services, const Options& options, Report& report);
// The plan is stored for apply. `removed` of the report stays empty.
Result<GcPlan> plan_only(const Services& services, const Options& options, Report& report);
// What was asked for when the plan was made holds, but for what `change` sets. The workspaces are
// listed and the authorities asked again first, and only what would be planned today as well is
// collected.
struct Overrides {
  std::optional<Duration> probe_timeout{};
  std::optional<std::string> rescue{};
  std::optional<Duration> rescue_timeout{};
  std::optional<Duration> trash_for{};
};
Result<> apply(const Services& services, std::string_view plan_id, const Overrides& change,
               Report& report);

}  // namespace holdfast::gc
