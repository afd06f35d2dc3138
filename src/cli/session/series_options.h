// SPDX-License-Identifier: Apache-2.0
//
// The options of `run --iterations`, and the order that they make.
#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/frame/args.h"
#include "loop/series/series.h"
#include "run/session/order.h"

namespace holdfast::cli {

// An option of a series without --iterations; --iterations with --detach. Errors: kUsage.
Result<> check_series_options(const Args& args);

// --budget with what has times of its own. Errors: kUsage.
Result<> refuse_budget(std::string_view what, std::string_view why);

// `args` as typed; `order` what they make, with those of a profile: its own `timeout` is of one
// iteration, a typed one of all. Errors: kUsage: it has no name, or a number is 0.
Result<loop::SeriesRequest> series_order(const Args& args, run::RunOrder order);

}  // namespace holdfast::cli
