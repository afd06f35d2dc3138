// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/close_damaged.h"

#include "base/cause.h"
#include "proc/tree/run_id_scan.h"
#include "run/lock/name_lock.h"

namespace holdfast::run {
namespace {

using proc::KillOutcome;

Error not_closed(const std::string& name, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kBusy,
          .op = "close the session",
          .subject = "'" + name + "'",
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was done"};
}

// Not of another home's session of that name. A directory that cannot be compared may be ours.
bool is_in_session(const proc::RunIdScan::Carrier& carrier, const session::SessionDir& dir) {
  const auto environment = proc::environment_of(carrier.facts.pid);
  if (!environment || !*environment) return true;
  const auto path = proc::variable_in(**environment, "HOLDFAST_SESSION_DIR");
  if (!path || *path == dir.dir().path()) return true;
  const auto theirs = os::Dir::open(std::string(*path));
  const auto here = dir.dir().info();
  if (!theirs || !here) return true;
  const auto there = theirs->info();
  return !there || there->id == here->id;
}

Result<std::string> who_is_seen(const session::SessionDir& dir) {
  std::string seen;
  const auto scan = HF_TRY(proc::scan_variable("HOLDFAST_SESSION", dir.name()));
  for (const proc::RunIdScan::Carrier& carrier : scan.carriers) {
    if (!is_in_session(carrier, dir)) continue;
    seen += (seen.empty() ? "" : ", ") + std::to_string(os::number(carrier.facts.pid)) + " (" +
            carrier.facts.name + ")";
  }
  return seen;
}

Result<> close_held(const OrphanServices& services, const session::SessionDir& dir,
                    const std::string& reason, StopReport& report) {
  const auto record = dir.read();
  if (record) return fail(not_closed(dir.name(), "record-changed", "it can be read by now"));
  if (record.error().code != ErrorCode::kCorrupt) return fail(record.error());
  const std::string seen = HF_TRY(who_is_seen(dir));
  if (!seen.empty()) {
    report.outcome = KillOutcome::kRefused;
    report.evidence = "seen-alive";
    report.detail = "somebody of it is alive: " + seen + "; it was left as it is";
    return {};
  }
  EventData decision;
  decision.text("name", dir.name()).text("reason", reason).text("evidence", "damaged-record");
  HF_TRY(services.events.record({.type = "session.stopping",
                                 .data = std::move(decision),
                                 .at_least = EventClass::kDecision}));
  const std::string aside = HF_TRY(dir.put_damaged_aside());
  report.outcome = KillOutcome::kKilled;
  report.evidence = "damaged-record";
  report.detail = "its record could not be read and is kept as " + dir.dir().path() + "/" + aside;
  report.state = SessionState::kLost;
  EventData ended;
  ended.text("name", dir.name()).text("state", "lost").text("reason", "assumed-gone");
  const auto told = services.events.record({.type = "session.ended", .data = std::move(ended)});
  static_cast<void>(told);  // the decision is there
  return {};
}

Result<> close(const OrphanServices& services, const session::SessionStore& sessions,
               const std::string& reason, StopReport& report) {
  const auto dir = HF_TRY(sessions.find(report.name));
  if (!dir) {
    report.outcome = KillOutcome::kGone;
    report.evidence = "no-such-session";
    return {};
  }
  auto name = HF_TRY(
      services.locks.open({.kind = lock::LockId::Kind::kNamed, .text = name_lock_of(dir->name())}));
  lock::AcquireRequest request;
  request.reason = reason;
  request.command = "holdfast stop";
  const lock::AcquireOutcome outcome = HF_TRY(name->acquire(request));
  if (!outcome.granted()) {
    const auto& pid = outcome.holder.pid;
    return fail(not_closed(
        dir->name(), "session-live",
        pid ? "process " + std::to_string(*pid) + " has its name" : "somebody has its name"));
  }
  auto closed = close_held(services, *dir, reason, report);
  const auto released = name->release();
  static_cast<void>(released);  // it goes with this process
  return closed;
}

}  // namespace

StopReport close_damaged(const OrphanServices& services, const session::SessionStore& sessions,
                         const std::string& name, const std::string& reason) {
  StopReport report{.name = name};
  auto closed = close(services, sessions, reason, report);
  if (!closed) report.error = std::move(closed).error();
  return report;
}

}  // namespace holdfast::run
