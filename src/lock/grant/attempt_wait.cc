// SPDX-License-Identifier: Apache-2.0
//
// Sleeping until something may have changed. `moved` was read before the look that led here, so
// what changed since then ends the sleep at once.
#include <algorithm>
#include <array>

#include "lock/grant/attempt.h"
#include "lock/grant/identity.h"
#include "lock/ledger/layout.h"
#include "os/machine/real_clock.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {
namespace {

// The short tries before a waiter goes to sleep: a holder that runs on another processor is done by
// then. The shortest pause that there is takes what timers are late by, some 50 us. `./dev bench
// lock-contended` shows what they bring.
constexpr std::chrono::microseconds kShortest(0);
constexpr std::array kBriefPauses{kShortest,
                                  kShortest,
                                  kShortest,
                                  kShortest,
                                  std::chrono::microseconds(30),
                                  std::chrono::microseconds(60)};

// For what tells nobody when it goes.
constexpr Duration kLookAgainSoon = std::chrono::milliseconds(20);
constexpr Duration kLateUnlockPause = std::chrono::milliseconds(2);

}  // namespace

Result<Attempt::Next> Attempt::wait() {
  if (out_of_time()) return end(AcquireOutcome::Kind::kBusy, out_of_time_is_);
  if (!waiting_) return prepare_to_wait();
  const auto* moved = HF_TRY(seat_.ledger->moved());
  const auto woken =
      HF_TRY(os::blocked_wait(block_on_, moved, moved_seen_, request_.cancel, wake_at(), &ending_));
  if (block_on_.kind == os::BlockOn::Kind::kByte && !blocks_on_life())
    HF_TRY(os::unlock_bytes(seat_.ledger->file(), block_on_.offset, block_on_.count));
  if (woken == os::Woken::kCancelled) return end(AcquireOutcome::Kind::kCancelled);
  if (woken == os::Woken::kGot && blocks_on_life()) {
    if (!HF_TRY(seat_.complete_life(*life_epoch_, share_))) return Next::kAgain;
    return with_life(*life_epoch_);
  }
  const auto look = cycle_->next_look();
  if (woken != os::Woken::kTimedOut || !look || clock_.mono() < *look) return Next::kAgain;
  const auto cycle = cycle_->look();
  if (!cycle) return Next::kAgain;
  outcome_.detail = seat_.place.label;
  for (const std::string& each : *cycle) {
    if (each != seat_.place.label) outcome_.detail += ", whose holder waits for " + each;
  }
  return end(AcquireOutcome::Kind::kDeadlock);
}

// Only those who would act alike stand in one line: who may take an expired lease is not held up by
// one who waits.
LineKey Attempt::line_key() const {
  const bool shared = request_.mode == LockMode::kShared;
  const unsigned kind = (shared ? 1U : 0U) | (request_.presume_dead ? 2U : 0U) |
                        static_cast<unsigned>(request_.on_expired) << 2U;
  return {.ledger = seat_.ledger->id(), .kind = kind};
}

// The next look is taken with the value of `moved` in hand.
Result<Attempt::Next> Attempt::prepare_to_wait() {
  if (HF_TRY(try_briefly())) return with_life(*life_epoch_);
  if (request_.on_wait != nullptr && !told_of_wait_) (*request_.on_wait)(outcome_.holder);
  told_of_wait_ = true;
  seat_.ledger->forget_slots();
  auto turn = HF_TRY(stand_in_line(line_key(), request_.cancel, until_));
  if (!turn) {
    const bool cancelled = request_.cancel != nullptr && request_.cancel->raised();
    return cancelled ? end(AcquireOutcome::Kind::kCancelled)
                     : end(AcquireOutcome::Kind::kBusy, out_of_time_is_);
  }
  turn_.emplace(std::move(*turn));
  // Since when we wait is settled before anybody can see it: whoever sees us and begins to wait is
  // the younger one.
  if (!cycle_) cycle_.emplace(request_.chain, seat_.place, clock_);
  waiter_.emplace(WaiterSeat::take(*seat_.ledger, {.mode = request_.mode,
                                                   .process = to_record(own_),
                                                   .since_ns = to_nanoseconds(clock_.wall()),
                                                   .since_boot_ns = to_nanoseconds(clock_.boot()),
                                                   .command = request_.command}));
  waiting_ = true;
  return Next::kAgain;
}

void Attempt::wait_for_life(std::uint64_t epoch) {
  block_on_ = seat_.wait_for_life(epoch, share_);
  if (block_on_.kind == os::BlockOn::Kind::kNothing) look_again_soon();
}

void Attempt::look_again_soon() {
  block_on_ = {};
  const MonoTime soon = clock_.mono() + kLookAgainSoon;
  if (!deadline_wake_ || soon < *deadline_wake_) deadline_wake_ = soon;
}

// A system that lets go of a dead process's locks late: who finds life held by somebody who is
// dead, tries for as long as that may take, and is not refused for it.
Result<bool> Attempt::is_unlocked_late(const LockRecord& record) {
  const Duration grace = late_unlock_grace();
  if (grace == Duration::zero() || record.state != LockState::kHeld) return false;
  for (const ProcessIdentity* process : {&record.work, &record.keeper}) {
    if (proc::judge(from_record(*process)).life != proc::Life::kDead) return false;
  }
  const MonoTime end = clock_.mono() + grace;
  do {
    os::pause(kLateUnlockPause);
    if (HF_TRY(seat_.take_life(record.epoch, share_))) return true;
  } while (clock_.mono() < end);
  return false;
}

bool Attempt::blocks_on_life() const {
  if (block_on_.kind != os::BlockOn::Kind::kByte)
    return block_on_.kind == os::BlockOn::Kind::kFlock;
  return block_on_.offset == life_byte(*life_epoch_) && block_on_.count == 1;
}

Result<bool> Attempt::try_briefly() {
  if (!blocks_on_life()) return false;
  for (const auto pause : kBriefPauses) {
    os::pause(pause);
    if (HF_TRY(seat_.take_life(*life_epoch_, share_))) return true;
  }
  return false;
}

bool Attempt::out_of_time() const { return until_ && clock_.mono() >= *until_; }

std::optional<MonoTime> Attempt::wake_at() const {
  std::optional<MonoTime> earliest = until_;
  for (const auto& moment : {deadline_wake_, cycle_->next_look()}) {
    if (moment && (!earliest || *moment < *earliest)) earliest = moment;
  }
  return earliest;
}

void Attempt::wake_at_deadline(const LockRecord& record, const Seen& seen) {
  deadline_wake_.reset();
  if (!deadline_matters(seen)) return;
  const BootTime now = clock_.boot();
  const BootTime due = seen.lease == Lease::kOtherClock
                           ? silent_since_.value_or(now) + Duration(record.ttl_ns)
                           : BootTime(Duration(record.deadline_ns));
  deadline_wake_ = clock_.mono() + std::max(due - now, Duration::zero());
}

void Attempt::reopen() {
  doubtful_generation_.reset();
  waiter_.reset();
  turn_.reset();
  waiting_ = false;
  life_epoch_.reset();
  foreign_watch_ = os::Handle();
  seat_.close();
}

Attempt::Next Attempt::end(AcquireOutcome::Kind kind, std::string_view reason) {
  outcome_.kind = kind;
  outcome_.busy_reason = reason;
  outcome_.waited = clock_.mono() - begun_;
  events_.busy(outcome_);
  return Next::kDone;
}

}  // namespace holdfast::lock
