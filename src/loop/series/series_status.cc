// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_status.h"

#include <algorithm>

#include "lock/ledger/ledger.h"
#include "lock/ledger/status.h"
#include "loop/series/series.h"
#include "loop/series/series_store.h"
#include "os/process/pidfd.h"
#include "os/signal/signals.h"
#include "os/watch/poll.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::loop {
namespace {

Error unknown_driver(const std::string& name, const std::string& evidence) {
  return {.code = ErrorCode::kCannotTell,
          .op = "stop the series of",
          .subject = "'" + name + "'",
          .cause = "driver-unknown",
          .detail = "who drives it cannot be judged from here (" + evidence + ")"};
}

Result<bool> ends_within(const os::Handle& pidfd, Duration limit) {
  HF_TRY(os::wait_readable({&pidfd}, std::chrono::ceil<std::chrono::milliseconds>(limit)));
  return os::has_ended(pidfd);
}

}  // namespace

Result<std::optional<SeriesDriver>> find_driver(lock::LocalBackend& locks, const Clock& clock,
                                                const std::string& name) {
  const lock::Place place =
      HF_TRY(locks.place_of({.kind = lock::LockId::Kind::kNamed, .text = series_lock_of(name)}));
  const lock::LockStatus status = HF_TRY(lock::look_at_lock(place, clock));
  if (status.state == lock::Visible::kFree || status.state == lock::Visible::kStale) {
    return std::nullopt;
  }
  if (status.state == lock::Visible::kUnknown) return fail(unknown_driver(name, status.evidence));
  auto ledger = lock::Ledger::open(place);
  if (!ledger) return fail(ledger.error());
  if (!*ledger) return std::nullopt;
  const auto held = (*ledger)->read();
  if (!held) return fail(held.error());
  if (held->record.state != LockState::kHeld) return std::nullopt;
  proc::LifeVerdict verdict = proc::judge(proc::from_record(held->record.keeper));
  // A supervisor that is not let in yet has the descriptor of its dead driver.
  if (verdict.life == proc::Life::kDead) return std::nullopt;
  const os::Pid pid{held->record.keeper.pid};
  const bool known = verdict.life == proc::Life::kLive && verdict.pidfd.valid();
  if (!known) return fail(unknown_driver(name, verdict.evidence));
  if (pid == os::Pid{1} || pid == os::own_pid()) return fail(unknown_driver(name, "process-1"));
  return SeriesDriver{.pid = pid, .pidfd = std::move(verdict.pidfd)};
}

Result<DriverEnd> end_driver(const SeriesDriver& driver, Duration by_itself, Duration patience) {
  if (HF_TRY(ends_within(driver.pidfd, by_itself))) return DriverEnd::kEnded;
  HF_TRY(os::signal_pidfd(driver.pidfd, os::kSignalTerm));
  // One that is stopped (^Z) hears nothing before it goes on.
  HF_TRY(os::signal_pidfd(driver.pidfd, os::continue_signal()));
  return HF_TRY(ends_within(driver.pidfd, patience)) ? DriverEnd::kEnded : DriverEnd::kStays;
}

bool belongs_to(const SeriesRecord& record, const Id128& run) {
  if (record.pending && record.pending->run == run) return true;
  return std::ranges::find(record.history, run, &SeriesEnd::run) != record.history.end();
}

Result<SeriesStatus> series_status(const session::SessionDir& dir, lock::LocalBackend* locks,
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
