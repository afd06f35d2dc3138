// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/stop_ask.h"

#include "lock/ledger/ledger.h"
#include "os/process/pidfd.h"
#include "os/signal/signals.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "proc/tree/process_table.h"
#include "run/lock/name_lock.h"
#include "session/record/control.h"

namespace holdfast::run {
namespace {

// Whoever is not stopped needs no waking, and gets no signal.
Result<bool> is_stopped(const os::Handle& pidfd, os::Pid pid) {
  const auto facts = HF_TRY(proc::read_process(pid));
  if (!facts || HF_TRY(os::has_ended(pidfd))) return false;
  return facts->state == 'T' || facts->state == 't';
}

Result<> wake_supervisor(lock::LocalBackend& locks, const session::SessionDir& dir,
                         const SessionRecord& record) {
  const os::Pid pid{record.supervisor.pid};
  if (pid == os::Pid{1} || pid == os::own_pid()) return {};
  const proc::LifeVerdict verdict = proc::judge(proc::from_record(record.supervisor));
  if (verdict.life != proc::Life::kLive || !verdict.pidfd.valid()) return {};
  if (!HF_TRY(is_stopped(verdict.pidfd, pid))) return {};
  const lock::Place place = HF_TRY(
      locks.place_of({.kind = lock::LockId::Kind::kNamed, .text = name_lock_of(dir.name())}));
  auto ledger = HF_TRY(lock::Ledger::open(place));
  if (!ledger) return {};
  const NewestRecord held = HF_TRY(ledger->read());
  if (held.record.state != LockState::kHeld || held.record.keeper != record.supervisor) return {};
  HF_TRY(os::signal_pidfd(verdict.pidfd, os::continue_signal()));
  return {};
}

}  // namespace

Result<StopAsked> ask_to_stop(lock::LocalBackend& locks, const session::SessionDir& dir,
                              const SessionRecord& record, const StopOrder& order) {
  SessionRequest request;
  request.grace = order.grace;
  request.signal = order.signal;
  request.by = order.by + ", process " + std::to_string(os::number(os::own_pid()));
  const auto asked = session::ask(dir.dir(), request);
  const bool full = !asked && asked.error().code == ErrorCode::kBusy;
  if (!asked && !full) return fail(asked.error());
  if (asked && *asked == session::Asked::kNobodyListens) return StopAsked::kNobodyListens;
  wake_if_stopped(locks, dir, record);
  if (full) return StopAsked::kFull;
  return StopAsked::kAsked;
}

void wake_if_stopped(lock::LocalBackend& locks, const session::SessionDir& dir,
                     const SessionRecord& record) {
  const auto woken = wake_supervisor(locks, dir, record);
  static_cast<void>(woken);  // that it cannot be woken is seen by its silence
}

}  // namespace holdfast::run
