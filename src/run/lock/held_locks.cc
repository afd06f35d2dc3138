// SPDX-License-Identifier: Apache-2.0
#include "run/lock/held_locks.h"

#include <algorithm>
#include <ranges>

#include "base/cause.h"
#include "format/session/outcome.h"
#include "lock/grant/slots.h"
#include "lock/ledger/ledger.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "run/lock/lock_text.h"

namespace holdfast::run {
namespace {

Error not_taken(const std::string& label, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kBusy,
          .op = "take the lock",
          .subject = "'" + label + "'",
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was started"};
}

Error busy(const std::string& label, const lock::AcquireOutcome& outcome) {
  if (outcome.kind == lock::AcquireOutcome::Kind::kDeadlock)
    return not_taken(label, "deadlock", "waiting would never end: " + outcome.detail);
  if (outcome.kind == lock::AcquireOutcome::Kind::kCancelled)
    return not_taken(label, reason::kInterrupted, "it was asked to end while it waited");
  std::string holder = "somebody else has it";
  if (outcome.holder.pid) holder = "process " + std::to_string(*outcome.holder.pid) + " has it";
  return not_taken(label, cause::kLockBusy, holder);
}

Error held_by_caller(const std::string& label) {
  return not_taken(label, cause::kLockBusy,
                   "its caller runs under it, and a detached run may outlive that hold: leave "
                   "--detach out, or start it when the lock is free");
}

bool is_in(const LockChain& chain, const lock::Lock& lock) {
  const std::string& ledger = lock.ledger_path();
  return std::ranges::any_of(chain,
                             [&](const ChainEntry& entry) { return entry.ledger == ledger; });
}

}  // namespace

std::vector<std::string> outer_lock_variables(Ground ground) {
  std::vector<std::string> names{"HOLDFAST_DEADLINE"};
  if (ground == Ground::kFore) return names;
  for (const char* name : {"HOLDFAST_LOCK", "HOLDFAST_TOKEN", "HOLDFAST_FENCE", "HOLDFAST_CHAIN",
                           "HOLDFAST_HELD", "HOLDFAST_WITHOUT"})
    names.emplace_back(name);
  return names;
}

Result<> HeldLocks::take(lock::LockBackend& backend, const RunOrder& order, const LockChain& outer,
                         const os::Flag& cancel) {
  const bool alone = order.ground == Ground::kBack;
  if (!alone) outer_ = outer;
  for (const std::string& name : order.what.locks) {
    lock::AcquireRequest request;
    request.wait = order.lock_wait;
    request.cancel = &cancel;
    request.command = order.what.command.front();
    request.reason = order.name ? "session " + *order.name : std::string();
    request.chain = chain();
    if (auto slots = lock::parse_any_slot(name)) {
      slots->stagger = order.what.stagger;
      HF_TRY(take_slot(backend, *slots, request, order));
      continue;
    }
    auto lock = HF_TRY(backend.open(lock::lock_called(name)));
    const bool callers = alone && is_in(outer, *lock);
    if (callers) request.wait = Duration::zero();  // the caller waits for us meanwhile
    const lock::OnWait on_wait = [&](const lock::HolderView& holder) {
      order.say_waiting(waiting_text(lock->label(), holder, request.wait));
    };
    if (order.say_waiting) request.on_wait = &on_wait;
    const lock::AcquireOutcome outcome = HF_TRY(lock->acquire(request));
    if (!outcome.granted() && callers) return fail(held_by_caller(lock->label()));
    if (!outcome.granted()) return fail(busy(lock->label(), outcome));
    const bool ours = outcome.kind == lock::AcquireOutcome::Kind::kGranted;
    held_.push_back({.lock = std::move(lock), .ours = ours});
  }
  return {};
}

Result<> HeldLocks::take_slot(lock::LockBackend& backend, const lock::SlotsRequest& slots,
                              lock::AcquireRequest request, const RunOrder& order) {
  const lock::OnWait on_wait = [&](const lock::HolderView& holder) {
    order.say_waiting(waiting_text(slots.name, holder, request.wait));
  };
  if (order.say_waiting) request.on_wait = &on_wait;
  lock::AcquiredSlot got = HF_TRY(backend.acquire_slot(slots, request));
  if (!got.lock) return fail(busy(slots.name, got.outcome));
  const bool ours = got.outcome.kind == lock::AcquireOutcome::Kind::kGranted;
  held_.push_back({.lock = std::move(got.lock), .ours = ours});
  return {};
}

// The slot that is held for `work`; the first where none is, which is lost then.
Result<std::unique_ptr<lock::LocalLock>> HeldLocks::slot_of(lock::LocalBackend& backend,
                                                            const Clock& clock, EventSink& events,
                                                            const lock::SlotsRequest& slots,
                                                            const ProcessIdentity& work) {
  std::unique_ptr<lock::LocalLock> first;
  for (std::uint32_t number = 1; number <= slots.count; ++number) {
    auto place = HF_TRY(backend.place_of(
        {.kind = lock::LockId::Kind::kNamed,
         .text =
             to_text(lock::SlotName{.name = slots.name, .number = number, .count = slots.count})}));
    const auto ledger = HF_TRY(lock::Ledger::open(place));
    const bool held = ledger && HF_TRY(ledger->read()).record.work == work;
    auto lock =
        std::make_unique<lock::LocalLock>(std::move(place), backend.fences(), clock, &events);
    if (held) return lock;
    if (!first) first = std::move(lock);
  }
  return first;
}

Result<> HeldLocks::take_up(lock::LocalBackend& backend, const Clock& clock, EventSink& events,
                            const std::vector<std::string>& names, const ProcessIdentity& work) {
  for (const std::string& name : names) {
    std::unique_ptr<lock::LocalLock> lock;
    if (const auto slots = lock::parse_any_slot(name)) {
      lock = HF_TRY(slot_of(backend, clock, events, *slots, work));
    } else {
      auto place = HF_TRY(backend.place_of(lock::lock_called(name)));
      lock = std::make_unique<lock::LocalLock>(std::move(place), backend.fences(), clock, &events);
    }
    const lock::Owned owned = HF_TRY(lock->take_up(work));
    if (owned == lock::Owned::kLost) {
      HF_TRY(take_anew(std::move(lock), work, events));
    } else if (owned == lock::Owned::kYes) {
      held_.push_back({.lock = std::move(lock), .ours = true});
    }
  }
  return {};
}

// Somebody broke it, or the command is dead and what it left behind works on: then the lock was
// anybody's.
Result<> HeldLocks::take_anew(std::unique_ptr<lock::LocalLock> lock, const ProcessIdentity& work,
                              EventSink& events) {
  lost_before_.push_back(lock->label());
  EventData data;
  data.text("lock", lock->label()).text("reason", "its holder died, and the tree works on");
  const auto told = events.record({.type = "lock.lost", .data = std::move(data)});
  static_cast<void>(told);  // the outcome says it too
  lock::AcquireRequest request;
  request.wait = Duration::zero();
  request.command = "holdfast adopt";
  const lock::AcquireOutcome outcome = HF_TRY(lock->acquire(request));
  if (!outcome.granted()) {
    std::string holder = "somebody else has it";
    if (outcome.holder.pid) holder = "process " + std::to_string(*outcome.holder.pid) + " has it";
    return fail({.code = ErrorCode::kBusy,
                 .op = "hold the lock",
                 .subject = "'" + lock->label() + "'",
                 .cause = "lock-lost",
                 .detail = holder + ", and the tree of the session works on without it"});
  }
  if (proc::judge(proc::from_record(work)).life == proc::Life::kLive) HF_TRY(lock->set_work(work));
  held_.push_back({.lock = std::move(lock), .ours = true});
  return {};
}

LockChain HeldLocks::chain() const {
  LockChain chain = outer_;
  for (const Held& held : held_) {
    if (held.ours) chain.push_back(held.lock->chain_entry());
  }
  return chain;
}

std::vector<std::string> HeldLocks::environment() const {
  if (held_.empty()) return {};
  const lock::Lock& innermost = *held_.back().lock;
  return {"HOLDFAST_LOCK=" + innermost.label(),
          "HOLDFAST_TOKEN=" + to_hex(innermost.grant()->token),
          "HOLDFAST_FENCE=" + std::to_string(innermost.grant()->fence),
          "HOLDFAST_CHAIN=" + encode_chain(chain()), "HOLDFAST_HELD=1"};
}

std::vector<os::NativeHandle> HeldLocks::life() const {
  std::vector<os::NativeHandle> all;
  for (const Held& held : held_) {
    if (held.ours && held.lock->life() != os::HandleTraits::nothing())
      all.push_back(held.lock->life());
  }
  return all;
}

Result<> HeldLocks::set_work(const ProcessIdentity& work) {
  for (const Held& held : held_) {
    if (!held.ours || HF_TRY(held.lock->set_work(work)) == lock::Owned::kYes) continue;
    return fail(not_taken(held.lock->label(), reason::kLost,
                          "it was taken away before the command started"));
  }
  return {};
}

std::vector<std::string> HeldLocks::lost() const {
  std::vector<std::string> lost = lost_before_;
  for (const Held& held : held_) {
    if (!held.ours) continue;
    const auto owned = held.lock->check();
    if (!owned || *owned == lock::Owned::kLost) lost.push_back(held.lock->label());
  }
  return lost;
}

void HeldLocks::leave() {
  for (const Held& held : held_) held.lock->leave();
  held_.clear();
}

void HeldLocks::release() {
  for (const Held& held : std::views::reverse(held_)) {
    const auto released = held.lock->release();
    static_cast<void>(released);
  }
  held_.clear();
}

}  // namespace holdfast::run
