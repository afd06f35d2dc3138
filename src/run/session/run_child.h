// SPDX-License-Identifier: Apache-2.0
//
// run_child: supervise/wrap.h, or, where the program has a budget (base/budget.h), a supervised
// tree that is ended with it. What the command leaves behind when it ends by itself is left alone
// either way.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "supervise/caller_hooks.h"
#include "supervise/report.h"
#include "supervise/wrap.h"

namespace holdfast::run {

// Errors: as run_wrapped.
Result<supervise::RunReport> run_child(const Clock& clock, const supervise::WrapRequest& request,
                                       supervise::CallerHooks& caller_hooks);

}  // namespace holdfast::run
