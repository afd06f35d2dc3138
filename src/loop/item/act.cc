// SPDX-License-Identifier: Apache-2.0
#include "loop/item/act.h"

#include "base/cause.h"
#include "lock/grant/by_token.h"
#include "run/lock/name_lock.h"
#include "run/orphan/adopt.h"
#include "run/session/start.h"

namespace holdfast::loop {
namespace {

Error not_wanted(const std::string& item, std::string_view cause, std::string_view why) {
  return {.code = ErrorCode::kRefused,
          .op = "start an act of",
          .subject = "item '" + item + "'",
          .cause = std::string(cause),
          .detail = std::string(why) + "; nothing was started"};
}

// In a child by fork: what the loop holds, or may hold when it is killed, must not live on in
// copies of its descriptors.
Result<> leave_the_loop(const LoopServices& services, ItemLog& log, lock::Lock& held) {
  held.leave();
  if (services.let_go) services.let_go();
  return log.open_lock_anew();
}

class ActGuard final : public run::RunGuard {
 public:
  ActGuard(const LoopServices& services, ItemLog& log, lock::Lock& held, const ActStart& start)
      : services_(services),
        log_(log),
        held_(held),
        token_(held.grant()->token),
        label_(held.label()),
        start_(start) {}

  Result<> admit(const std::optional<SessionRecord>& /*last*/) override {
    HF_TRY(leave_the_loop(services_, log_, held_));
    const lock::Place place =
        HF_TRY(services_.run_locks.place_of({.kind = lock::LockId::Kind::kNamed, .text = label_}));
    const auto checked = lock::check_by_token(place, token_, services_.clock);
    if (!checked) return fail(checked.error());
    if (checked->answer != lock::TokenAnswer::kDone) {
      return fail(not_wanted(start_.item, "loop-lost", "the loop that wanted it is gone"));
    }
    return log_.change(os::Durability::kNone, [this](const ItemLog& now) { return begun(now); });
  }
  void reserved(const SessionRecord& /*record*/) override {}
  void finished(const SessionRecord& /*record*/) override {}

 private:
  Result<std::vector<LoopLine>> begun(const ItemLog& now) {
    const ItemRecord* item = now.find(start_.item);
    if (item == nullptr) {
      return fail(not_wanted(start_.item, "intent-gone", "nobody intends it any more"));
    }
    ItemRecord changed = *item;
    std::optional<ItemAct>& intent = intent_of(changed, start_.channel);
    if (!intent || intent->run != start_.order.run) {
      return fail(not_wanted(start_.item, "intent-gone", "nobody intends it any more"));
    }
    intent->begun = true;
    return std::vector<LoopLine>{std::move(changed)};
  }

  const LoopServices& services_;
  ItemLog& log_;
  lock::Lock& held_;
  Id128 token_;
  std::string label_;
  const ActStart& start_;
};

}  // namespace

const std::optional<ItemAct>& intent_of(const ItemRecord& item, Channel channel) {
  return channel == Channel::kItem ? item.act : item.notice.act;
}
std::optional<ItemAct>& intent_of(ItemRecord& item, Channel channel) {
  return channel == Channel::kItem ? item.act : item.notice.act;
}

ActStarted start_act(const LoopServices& services, ItemLog& log, lock::Lock& held,
                     const ActStart& start) {
  ActGuard guard(services, log, held, start);
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
