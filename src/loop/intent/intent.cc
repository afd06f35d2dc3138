// SPDX-License-Identifier: Apache-2.0
#include "loop/intent/intent.h"

#include "base/cause.h"
#include "format/session/outcome.h"
#include "lock/grant/by_token.h"
#include "loop/intent/intent_note.h"
#include "run/lock/name_lock.h"
#include "run/orphan/adopt.h"
#include "session/workspace/workspace.h"

namespace holdfast::loop {
namespace {

using TraceKind = session::Trace::Kind;

Result<> check_driver(const DriverLock& driver, const IntentStore& store) {
  const lock::Place place =
      HF_TRY(driver.locks.place_of({.kind = lock::LockId::Kind::kNamed, .text = driver.label}));
  const auto checked = lock::check_by_token(place, driver.token, driver.clock);
  if (!checked) return fail(checked.error());
  if (checked->answer != lock::TokenAnswer::kDone) return fail(store.driver_lost());
  return {};
}

IntentFinding finding_of(session::Trace trace, bool begun, OnTheWay on_the_way) {
  return {.fate = fate_of(trace, begun, on_the_way), .view = std::move(trace.view)};
}

}  // namespace

Error IntentStore::driver_lost() const {
  return {.code = ErrorCode::kRefused,
          .op = "start",
          .subject = "the run",
          .cause = "driver-lost",
          .detail = "whoever wanted it is gone; nothing was started"};
}

Result<> IntentGuard::admit(const std::optional<SessionRecord>& /*last*/) {
  if (run::guards_are_in_a_copy()) HF_TRY(store_.leave_driver());
  if (driver_) HF_TRY(check_driver(*driver_, store_));
  return store_.admit(run_);
}

void IntentGuard::reserved(const SessionRecord& record) { store_.reserved(record); }

void IntentGuard::finished(const SessionRecord& record) {
  if (is_final(record.state)) store_.ended(record);  // else something of it is left: it is not over
}

std::string IntentGuard::note() const {
  const std::string store = store_.note();
  if (!driver_ || store.empty()) return {};
  return encode_intent_note(
      {.run = run_, .lock = driver_->label, .token = driver_->token, .store = store});
}

Result<run::Started> start_intended(const LoopServices& services, lock::Lock& held,
                                    IntentStore& store, const run::RunOrder& order) {
  IntentGuard guard(store, order.run,
                    DriverLock{.clock = services.clock,
                               .locks = services.run_locks,
                               .label = held.label(),
                               .token = held.grant()->token});
  const run::Services run_services{.clock = services.clock,
                                   .events = services.run_events,
                                   .sessions = &services.sessions,
                                   .locks = &services.run_locks,
                                   .chain = services.chain,
                                   .guard = &guard};
  return run::start_run(run_services, order);
}

IntentFate fate_of(const session::Trace& trace, bool begun, OnTheWay on_the_way) {
  switch (trace.kind) {
    case TraceKind::kOver:
      return IntentFate::kOver;
    case TraceKind::kUnder:
      return IntentFate::kLive;
    case TraceKind::kUnknown:
      return IntentFate::kUnknown;
    case TraceKind::kOrphaned:
      return trace.view && trace.view->tree == session::Tree::kLives ? IntentFate::kOrphanLives
                                                                     : IntentFate::kOrphanUnproven;
    case TraceKind::kNone:
      break;
  }
  switch (on_the_way) {
    case OnTheWay::kNobody:
      return begun || trace.record_lost ? IntentFate::kGone : IntentFate::kNever;
    case OnTheWay::kItsSupervisor:
      return IntentFate::kLive;
    case OnTheWay::kSomebody:
      return IntentFate::kNameTaken;
    case OnTheWay::kCannotTell:
      break;
  }
  return IntentFate::kUnknown;
}

Result<IntentFinding> find_out(const LoopServices& services, const Intent& intent,
                               IntentStore& store) {
  const auto trace = [&] {
    return session::trace_of(services.sessions, intent.session, intent.run);
  };
  auto first = HF_TRY(trace());
  if (first.kind != TraceKind::kNone) {
    return finding_of(std::move(first), intent.begun, OnTheWay::kSomebody);
  }
  // Whoever is between the lock of the name and its first record is waited for.
  constexpr Duration kPatience = std::chrono::seconds(2);
  auto name = HF_TRY(services.locks.open(
      {.kind = lock::LockId::Kind::kNamed, .text = run::name_lock_of(intent.session)}));
  lock::AcquireRequest request;
  request.wait = kPatience;
  request.command = "holdfast loop";
  const lock::AcquireOutcome outcome = HF_TRY(name->acquire(request));
  if (!outcome.granted()) {
    return finding_of(HF_TRY(trace()), intent.begun, OnTheWay::kSomebody);
  }
  auto second = trace();
  const auto begun = store.has_begun(intent.run);
  const auto released = name->release();
  static_cast<void>(released);
  if (!second) return fail(second.error());
  if (!begun) return fail(begun.error());
  return finding_of(*std::move(second), intent.begun || *begun, OnTheWay::kNobody);
}

Result<> adopt_intended(const LoopServices& services, IntentStore& store,
                        const std::string& session) {
  auto dir = HF_TRY(services.sessions.find(session));
  if (!dir) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "adopt",
                 .subject = "'" + session + "'",
                 .cause = cause::kNoSuchSession,
                 .detail = "its directory is gone"});
  }
  const run::OrphanServices orphan{
      .clock = services.clock, .events = services.run_events, .locks = services.run_locks};
  HF_TRY(run::adopt_session(orphan, *std::move(dir), [&] {
    const auto left = store.leave_driver();
    static_cast<void>(left);  // its lock of the record is closed in any case
  }));
  return {};
}

bool was_asked_to_end(const SessionRecord& record) {
  return (record.asked || record.reason == reason::kLost) && record.verified != true;
}

bool was_tried(const SessionRecord& record) {
  if (record.state != SessionState::kFailed) return true;
  return record.reason == reason::kNotFound || record.reason == reason::kNotExecutable;
}

bool was_tried(const session::SessionView& view) {
  SessionRecord record = view.record;
  record.state = view.state;
  return was_tried(record);
}

Result<TimeMark> moment_now(const Clock& clock) {
  TimeMark now{.moment = HF_TRY(session::boot_moment_now())};
  now.wall = clock.wall();
  return now;
}

}  // namespace holdfast::loop
