// SPDX-License-Identifier: Apache-2.0
#include "run/session/run_child.h"

#include "base/budget.h"
#include "run/session/final_state.h"
#include "supervise/front_end.h"

namespace holdfast::run {

Result<supervise::RunReport> run_child(const Clock& clock, const supervise::WrapRequest& request,
                                       supervise::CallerHooks& caller_hooks) {
  if (!budget()) return supervise::run_wrapped(clock, request, caller_hooks);
  const supervise::TreeRequest tree{.commands = {request.argv},
                                    .stdout_to = request.stdout_to,
                                    .environment = request.environment,
                                    .environment_without = request.environment_without,
                                    .inherit = request.inherit,
                                    .leftovers = supervise::Leftovers::kLeave};
  return to_run_report(HF_TRY(supervise::run_tree(clock, tree, {}, &caller_hooks)).report);
}

}  // namespace holdfast::run
