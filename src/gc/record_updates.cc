// SPDX-License-Identifier: Apache-2.0
#include "gc/record_updates.h"

#include <memory>

#include "run/lock/name_lock.h"
#include "run/orphan/old_run.h"
#include "session/workspace/below.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

Result<> record_one(const Services& services, const KnownId& known) {
  auto hold = HF_TRY(session::WorkspaceHold::take(services.sessions, known.session, {}));
  if (!hold) return {};
  WorkspaceRecord record = hold->record();
  if (record.id != known.id || record.change != known.change || !record.authority) return {};
  record.authority->full_id = known.full_id;
  return hold->write(std::move(record), os::Durability::kNone);
}

// Where somebody runs, or may run, there is nothing to settle.
Result<> settle_run(const Services& services, const std::string& name) {
  const auto dir = HF_TRY(services.sessions.find(name));
  if (!dir || !HF_TRY(dir->read())) return {};
  const auto lock = HF_TRY(
      services.locks.open({.kind = lock::LockId::Kind::kNamed, .text = run::name_lock_of(name)}));
  lock::AcquireRequest request;
  request.command = "holdfast gc";
  if (!HF_TRY(lock->acquire(request)).granted()) return {};
  const auto settled = run::prove_old_run_over(*dir, services.clock);
  static_cast<void>(lock->release());  // what cannot be given back ends with this process
  const bool not_over = !settled && (settled.error().code == ErrorCode::kBusy ||
                                     settled.error().code == ErrorCode::kCannotTell);
  if (settled || not_over) return {};
  return fail(settled.error());
}

Result<> renew_one(const Services& services, const std::string& name) {
  auto hold = HF_TRY(session::WorkspaceHold::take(services.sessions, name, Duration::zero()));
  if (!hold || !hold->record().ttl) return {};
  if (!session::attached_now(hold->record()).there.empty()) return {};
  if (HF_TRY(session::BelowNow::look(hold->dir())).anybody()) return {};
  HF_TRY(settle_run(services, name));
  if (hold->record().attached.empty()) return {};
  WorkspaceRecord record = hold->record();
  record.attached.clear();
  record.renewed = HF_TRY(session::boot_moment_now());
  return hold->write(record, os::Durability::kFull);
}

}  // namespace

void record_ids(const Services& services, const std::vector<KnownId>& known) {
  for (const KnownId& one : known) {
    if (services.stop.raised()) return;
    [[maybe_unused]] const auto written = record_one(services, one);
  }
}

void renew_left(const Services& services, const std::vector<std::string>& names, Report& report) {
  for (const std::string& name : names) {
    if (services.stop.raised()) return;
    const auto renewed = renew_one(services, name);
    if (renewed || renewed.error().code == ErrorCode::kBusy) continue;
    report.warnings.push_back(to_sentence(renewed.error()));
  }
}

}  // namespace holdfast::gc
