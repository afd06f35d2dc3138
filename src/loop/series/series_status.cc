// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_status.h"

#include <algorithm>

#include "loop/series/series_stop.h"
#include "loop/series/series_store.h"

namespace holdfast::loop {

bool belongs_to(const SeriesRecord& record, const Id128& run) {
  if (record.pending && record.pending->run == run) return true;
  return std::ranges::find(record.history, run, &SeriesEnd::run) != record.history.end();
}

Result<SeriesStatus> look_at_series(const session::SessionDir& dir, lock::LocalBackend* locks,
                                    const Clock& clock, const std::optional<Id128>& run) {
  using Kind = SeriesStatus::Kind;
  SeriesStatus status{.record = HF_TRY(read_series(dir))};
  if (!status.record) return status;
  bool driven = false;
  if (locks != nullptr) {
    auto driver = find_driver(*locks, clock, dir.name());
    if (!driver && driver.error().code != ErrorCode::kCannotTell) return fail(driver.error());
    driven = !driver || *driver;
    if (driver && *driver) status.driver = std::move((*driver)->pidfd);
  }
  status.record = HF_TRY(read_series(dir));
  if (!status.record) return status;
  const bool over = status.record->over.has_value();
  if (driven && !over) {
    status.kind = Kind::kGoesOn;
  } else if (run && belongs_to(*status.record, *run)) {
    status.kind = over ? Kind::kOver : Kind::kStopped;
  }
  return status;
}

}  // namespace holdfast::loop
