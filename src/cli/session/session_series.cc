// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_series.h"

#include <vector>

#include "loop/series/series_store.h"

namespace holdfast::cli {

Result<loop::SeriesStatus> SessionSeries::look(const std::optional<Id128>& run) {
  if (!HF_TRY(loop::read_series(dir_))) return loop::SeriesStatus{};
  if (!locks_) locks_ = HF_TRY(LockHome::find(context_, clock_, lock::AnyFileSystem::kAllow));
  return loop::series_status(dir_, locks_ ? &locks_->backend() : nullptr, clock_, run);
}

Result<> wait_for_change(session::Watch& watch, const loop::SeriesStatus& series,
                         std::span<const os::Handle* const> also) {
  const bool goes_on = series.kind == loop::SeriesStatus::Kind::kGoesOn;
  std::vector<const os::Handle*> handles(also.begin(), also.end());
  std::optional<std::chrono::milliseconds> limit;
  if (goes_on && series.driver.valid()) handles.push_back(&series.driver);
  if (goes_on && !series.driver.valid()) limit = session::kLookAgain;  // it cannot be pinned
  return watch.wait(limit, handles);
}

}  // namespace holdfast::cli
