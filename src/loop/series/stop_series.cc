// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: an iteration ends by itself just before it is asked to, `stop` finds
// nothing to end, and the driver starts the next one. So the driver is looked for after the run,
// and the run once more after the driver: without a driver nothing begins any more.
#include "loop/series/stop_series.h"

#include <algorithm>

#include "loop/series/series_status.h"
#include "loop/series/series_store.h"
#include "supervise/tree_request.h"

namespace holdfast::loop {
namespace {

using proc::KillOutcome;

// A driver whose iteration was stopped counts it, says so, and ends.
constexpr Duration kByItself = std::chrono::seconds(5);
constexpr Duration kStopSeriesMargin = std::chrono::seconds(5);

void stop_one(const run::OrphanServices& services, const session::SessionStore& sessions,
              const run::StopOrder& order, run::StopReport& report) {
  const auto driver = find_driver(services.locks, services.clock, report.name);
  if (!driver) {
    if (!report.error) report.error = driver.error();
    return;
  }
  if (!*driver) return;
  const bool ends = report.outcome == KillOutcome::kKilled && !report.error;
  const MonoTime now = services.clock.mono();
  const Duration patience = order.until ? std::max(*order.until - now, Duration::zero())
                                        : order.grace.value_or(supervise::kDefaultGrace) +
                                              supervise::kPatience + kStopSeriesMargin;
  const Duration by_itself = ends ? std::min(kByItself, patience / 2) : Duration::zero();
  const auto end = end_driver(**driver, by_itself, patience - by_itself);
  if (!end) {
    if (!report.error) report.error = end.error();
    return;
  }
  if (*end == DriverEnd::kStays) {
    report.outcome = KillOutcome::kUnproven;
    report.evidence = "series-goes-on";
    report.detail = "process " + std::to_string(os::number((*driver)->pid)) +
                    " drives the series, was asked to stop, and has not ended in time";
    return;
  }
  const bool had_nothing = report.outcome == KillOutcome::kGone && !report.error;
  const bool was_killed = ends;
  if (!had_nothing && !was_killed) return;
  report = run::stop_sessions(services, sessions, {report.name}, order).front();
  if (report.outcome != KillOutcome::kGone || report.error) return;
  report.outcome = KillOutcome::kKilled;
  report.evidence = had_nothing ? "series-stopped" : "recorded";
}

}  // namespace

std::vector<run::StopReport> stop_with_series(const run::OrphanServices& services,
                                              const session::SessionStore& sessions,
                                              const std::vector<std::string>& names,
                                              const run::StopOrder& order) {
  std::vector<run::StopReport> reports = run::stop_sessions(services, sessions, names, order);
  if (order.assume_gone) return reports;
  for (run::StopReport& report : reports) stop_one(services, sessions, order, report);
  return reports;
}

bool is_driven(lock::LocalBackend& locks, const session::SessionStore& sessions, const Clock& clock,
               const std::string& name) {
  const auto record = read_series(sessions, name);
  if (record && (!*record || (*record)->over)) return false;
  const auto driver = find_driver(locks, clock, name);
  return !driver || *driver;
}

}  // namespace holdfast::loop
