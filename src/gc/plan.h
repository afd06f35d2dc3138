// SPDX-License-Identifier: Apache-2.0
//
// make_plan: which workspaces are to go, and why each of the others stays. Nothing is changed but
// the journal, which hears of authorities that were skipped or braked.
//
// The order is the point (rule G2): the workspaces are listed first, then the authorities are
// asked. Whatever was made in between is not in the list.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "format/session/gc_plan.h"
#include "gc/known_sample.h"
#include "gc/options.h"
#include "gc/record_updates.h"

namespace holdfast::gc {

// What the survey found besides.
struct Aside {
  std::vector<std::string> stages{};    // leftovers of `workspace new`
  std::vector<std::string> outsides{};  // workspaces with a directory outside of the home
  std::vector<Id128> outside_ids{};     // of the same, in their order
  std::vector<std::string> ttls{};      // workspaces whose ttl does not run (record_updates.h)
  std::vector<KnownId> known_ids{};     // containers that are listed for the first time
  KnownSample known_sample{};           // what the authorities knew
};

// The report gets `kept`, `unknown`, `skipped` and `braked`; the plan what is to go. Errors: kBusy
// `interrupted`.
Result<GcPlan> make_plan(const Services& services, const Options& options, Report& report,
                         Aside& aside);

}  // namespace holdfast::gc
