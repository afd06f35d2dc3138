// SPDX-License-Identifier: Apache-2.0
//
// SessionSeries: the series that a session may be a part of (`run --iterations`), for `wait` and
// `logs -f`, which end with the series and not with an iteration.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "loop/series/series_status.h"
#include "session/record/store.h"
#include "session/record/watch.h"

namespace holdfast::cli {

class SessionSeries {
 public:
  // All of them must outlive it.
  SessionSeries(const Context& context, const session::SessionDir& dir, const Clock& clock)
      : context_(context), dir_(dir), clock_(clock) {}

  // As loop::series_status; the locks of the home are opened only if there is a series.
  Result<loop::SeriesStatus> look(const std::optional<Id128>& run);

 private:
  const Context& context_;
  const session::SessionDir& dir_;
  const Clock& clock_;
  std::unique_ptr<LockHome> locks_;
};

// Sleeps until something about the session or its series may have changed, or one of `also` is
// readable.
Result<> wait_for_change(session::Watch& watch, const loop::SeriesStatus& series,
                         std::span<const os::Handle* const> also);

}  // namespace holdfast::cli
