// SPDX-License-Identifier: Apache-2.0
//
// SessionSeries: the series that a session may be a part of (`run --iterations`), for `wait` and
// `logs -f`, which end with the series and not with an iteration.
#pragma once

#include <optional>
#include <span>

#include "base/id128.h"
#include "base/result.h"
#include "loop/series/series_status.h"
#include "runtime/runtime.h"
#include "session/record/store.h"
#include "session/record/watch.h"

namespace holdfast::loop {

class SessionSeries {
 public:
  // All of them must outlive it.
  SessionSeries(runtime::Runtime& runtime, const session::SessionDir& dir)
      : runtime_(runtime), dir_(dir) {}

  // As series_status; the locks of the home are opened only if there is a series.
  Result<SeriesStatus> look(const std::optional<Id128>& run);

 private:
  runtime::Runtime& runtime_;
  const session::SessionDir& dir_;
};

// Sleeps until something about the session or its series may have changed, or one of `also` is
// readable.
Result<> wait_for_change(session::Watch& watch, const SeriesStatus& series,
                         std::span<const os::Handle* const> also);

}  // namespace holdfast::loop
