// SPDX-License-Identifier: Apache-2.0
#include "loop/item/act.h"

#include "base/cause.h"
#include "lock/grant/by_token.h"
#include "run/lock/name_lock.h"
#include "run/orphan/adopt.h"
#include "run/session/start.h"

namespace holdfast::loop {
namespace {

// In a child by fork: what the loop holds, or may hold when it is killed, must not live on in
// copies of its descriptors.
Result<> leave_the_loop(const LoopServices& services, ItemLog& log, lock::Lock& held) {
  held.leave();
  if (services.let_go) services.let_go();
  return log.open_lock_anew();
}

}  // namespace

ActStarted start_act(const LoopServices& services, ItemLog& log, lock::Lock& held,
                     const ActStart& start) {
  ActGuard guard(services.clock, services.run_locks, log,
                 {.directory = log.dir().path(),
                  .label = held.label(),
                  .token = held.grant()->token,
                  .item = start.item,
                  .channel = start.channel,
                  .run = start.order.run},
                 [&] { return leave_the_loop(services, log, held); });
  const run::Services run_services{.clock = services.clock,
                                   .events = services.run_events,
                                   .sessions = &services.sessions,
                                   .locks = &services.run_locks,
                                   .chain = services.chain,
                                   .guard = &guard};
  const auto started = run::start_run(run_services, start.order);
  if (!started) return {.error = started.error(), .never_started = true};
  ActStarted act{.asked_to_end = started->asked_to_end};
  if (!started->report) {
    act.supervisor = started->supervisor;
    return act;
  }
  act.error = started->report->fault;
  act.never_started = !started->report->started && started->report->empty;
  return act;
}

Result<ActTrace> look_for(const LoopServices& services, const ItemAct& act) {
  auto first = session::trace_of(services.sessions, act.session, act.run);
  if (!first) return fail(first.error());
  if (first->kind != session::Trace::Kind::kNone) return ActTrace{.trace = *std::move(first)};
  // Whoever is between the lock of the name and its first record is waited for.
  constexpr Duration kPatience = std::chrono::seconds(2);
  auto name = HF_TRY(services.locks.open(
      {.kind = lock::LockId::Kind::kNamed, .text = run::name_lock_of(act.session)}));
  lock::AcquireRequest request;
  request.wait = kPatience;
  request.command = "holdfast loop";
  const lock::AcquireOutcome outcome = HF_TRY(name->acquire(request));
  if (!outcome.granted()) {
    auto again = session::trace_of(services.sessions, act.session, act.run);
    if (!again) return fail(again.error());
    return ActTrace{.trace = *std::move(again)};
  }
  auto second = session::trace_of(services.sessions, act.session, act.run);
  const auto released = name->release();
  static_cast<void>(released);
  if (!second) return fail(second.error());
  const bool none = second->kind == session::Trace::Kind::kNone;
  return ActTrace{.trace = *std::move(second), .never_began = none};
}

Result<> adopt_act(const LoopServices& services, ItemLog& log, lock::Lock& held,
                   const ItemAct& act) {
  auto dir = HF_TRY(services.sessions.find(act.session));
  if (!dir) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "adopt",
                 .subject = "'" + act.session + "'",
                 .cause = cause::kNoSuchSession,
                 .detail = "its directory is gone"});
  }
  const run::OrphanServices orphan{
      .clock = services.clock, .events = services.run_events, .locks = services.run_locks};
  HF_TRY(run::adopt_session(orphan, *std::move(dir), [&] {
    const auto left = leave_the_loop(services, log, held);
    static_cast<void>(left);  // its lock of the log is closed in any case
  }));
  return {};
}

}  // namespace holdfast::loop
