// SPDX-License-Identifier: Apache-2.0
#include "loop/series/session_series.h"

#include <vector>

#include "loop/series/series_store.h"

namespace holdfast::loop {

Result<SeriesStatus> SessionSeries::look(const std::optional<Id128>& run) {
  if (!HF_TRY(read_series(dir_))) return SeriesStatus{};
  auto* locks = HF_TRY(runtime_.find_locks(lock::AnyFileSystem::kAllow));
  return series_status(dir_, locks, runtime_.clock(), run);
}

Result<> wait_for_change(session::Watch& watch, const SeriesStatus& series,
                         std::span<const os::Handle* const> also) {
  const bool goes_on = series.kind == SeriesStatus::Kind::kGoesOn;
  std::vector<const os::Handle*> handles(also.begin(), also.end());
  std::optional<std::chrono::milliseconds> limit;
  if (goes_on && series.driver.valid()) handles.push_back(&series.driver);
  if (goes_on && !series.driver.valid()) limit = session::kLookAgain;  // it cannot be pinned
  return watch.wait(limit, handles);
}

}  // namespace holdfast::loop
