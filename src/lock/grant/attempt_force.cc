// SPDX-License-Identifier: Apache-2.0
//
// Taking a lock from somebody who may live. Between the decision in the journal and the act the
// holder may renew, release or die: the record is compared again under GUARD, and a change of it
// ends the attempt to take it; the next look decides anew.
#include <algorithm>

#include "base/budget.h"
#include "base/cause.h"
#include "lock/grant/attempt.h"
#include "lock/grant/force.h"
#include "lock/grant/identity.h"
#include "lock/ledger/foreign.h"
#include "os/spawn/env.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {
namespace {

constexpr Duration kKillGrace = std::chrono::seconds(5);
constexpr int kPartForKill = 4;  // a quarter of the budget
constexpr Duration kAttemptForceKeeperPatience = std::chrono::seconds(1);
constexpr Duration kLookAgainForForce = std::chrono::seconds(1);

}  // namespace

Result<> Attempt::decide_to_take(const LockRecord& record, std::string_view evidence) {
  if (decided_seq_ == record.seq) return {};
  taken_from_ = record.state == LockState::kHeld ? holder_of(record, evidence) : outcome_.holder;
  taken_evidence_ = evidence;
  const Duration overrun(
      record.deadline_ns == 0 ? 0 : to_nanoseconds(clock_.boot()) - record.deadline_ns);
  HF_TRY(events_.will_take(taken_from_, evidence, std::max(overrun, Duration::zero())));
  decided_seq_ = record.seq;
  decided_generation_ = record.generation;
  return {};
}

// Somebody else was granted the lock meanwhile: what we had decided about is over.
void Attempt::forget_force_unless(const LockRecord& record) {
  if (!decided_seq_ || record.generation == decided_generation_) return;
  decided_seq_.reset();
  forced_cause_.reset();
}

// Asked right before the first signal: a holder that has renewed since the decision is left alone.
Result<bool> Attempt::is_as_decided() {
  const Guard guard = HF_TRY(seat_.ledger->guard());
  if (HF_TRY(seat_.ledger->read(guard)).record.seq == decided_seq_) return true;
  decided_seq_.reset();
  return false;
}

bool Attempt::trusts_kernel() const {
  return request_.trust_kernel || os::env("HOLDFAST_TRUST") == "kernel";
}

// kExpired: its lease has run out. kDead: nobody can judge its work, and the kernel is trusted.
Result<Attempt::Next> Attempt::take(const NewestRecord& found, std::uint64_t epoch,
                                    LockCause cause) {
  if (cause == LockCause::kDead) {
    outcome_.before = holder_of(found.record, outcome_.evidence);
    outcome_.evidence = "trust-kernel, " + outcome_.evidence;
  }
  HF_TRY(decide_to_take(found.record,
                        cause == LockCause::kDead ? outcome_.evidence : std::string("expired")));
  const bool from_keeper = seat_.sidecar && epoch != found.record.epoch;
  if (from_keeper) {
    if (!HF_TRY(is_as_decided())) return Next::kAgain;
    forced_cause_ = LockCause::kExpired;
    if (HF_TRY(end_keeper(found.record, kAttemptForceKeeperPatience))) return Next::kAgain;
    outcome_.detail = "the keeper that holds it could not be ended";
    return end(AcquireOutcome::Kind::kSurvivors);
  }
  Guard guard = HF_TRY(seat_.ledger->guard());
  NewestRecord now = HF_TRY(seat_.ledger->read(guard));
  if (now.record.seq != found.record.seq) {
    decided_seq_.reset();
    return Next::kAgain;
  }
  if (epoch != found.record.epoch) {
    seat_.give_life_back(found.record.epoch);
    life_epoch_ = epoch;
    if (!HF_TRY(seat_.take_life(epoch, share_))) {
      wait_for_life(epoch);
      return Next::kWait;
    }
  }
  return grant(std::move(guard), now, cause, epoch);
}

Result<Attempt::Next> Attempt::kill(const LockRecord& record) {
  HF_TRY(decide_to_take(record, "expired, killed"));
  if (!HF_TRY(is_as_decided())) return Next::kAgain;
  forced_cause_ = LockCause::kExpired;
  const auto left = within_budget(std::nullopt, clock_.mono()).time;
  const Duration grace = left ? std::min(kKillGrace, *left - *left / kPartForKill) : kKillGrace;
  const KillOutcome killed = HF_TRY(kill_holder(record, grace));
  if (killed.survivors.empty()) return Next::kAgain;
  outcome_.detail = "left alive:";
  for (const std::string& survivor : killed.survivors) outcome_.detail += " " + survivor;
  return end(AcquireOutcome::Kind::kSurvivors);
}

Result<Attempt::Next> Attempt::take_refused() const {
  return fail({.code = ErrorCode::kUsage,
               .op = "take",
               .subject = seat_.place.label,
               .cause = "take-on-sidecar",
               .detail = std::string("its holder keeps the flock of the file") +
                         (seat_.place.is_path ? ", which cannot be taken away; use "
                                                "--on-expired wait or kill"
                                              : " beside it, which cannot be taken away; use "
                                                "--on-expired wait, kill or replace")});
}

// Only a keeper is left, one that is stopped: the owner needs no killing.
bool Attempt::is_left_by_its_owner(const LockRecord& record) {
  return record.binding == LockBinding::kOwner &&
         proc::judge(from_record(record.work)).life == proc::Life::kDead;
}

// Its owner is not ours to end, nor is a program that uses the library; and without its end nothing
// is granted under this word.
Result<Attempt::Next> Attempt::kill_refused(const LockRecord& record) const {
  const std::string who =
      record.work.pid > 0 ? " by process " + std::to_string(record.work.pid) : std::string();
  return fail({.code = ErrorCode::kUsage,
               .op = "kill the holder of",
               .subject = seat_.place.label,
               .cause = "kill-of-no-command",
               .detail = "it is held" + who +
                         ", not by `holdfast lock` or `run` with a command to end; nobody was "
                         "signalled. Use --on-expired wait or take"});
}

// nullopt: it cannot be replaced now, and nothing tells when that changes.
Result<std::optional<Attempt::Next>> Attempt::replace(const NewestRecord& found,
                                                      std::string_view evidence) {
  if (HF_TRY(seat_.place.dir->is_held_open(*seat_.place.sidecar))) {
    outcome_.detail =
        "the file beside it cannot be replaced: a program has it open and does not share that";
    deadline_wake_ = clock_.mono() + kLookAgainForForce;
    return std::nullopt;
  }
  HF_TRY(decide_to_take(found.record, evidence));
  forced_cause_ = LockCause::kReplaced;
  auto replaced = replace_sidecar(seat_, found.record.seq);
  if (!replaced && replaced.error().cause != cause::kHeldOpen)
    return fail(std::move(replaced).error());
  std::optional<Guard> guard = replaced ? *std::move(replaced) : std::nullopt;
  if (!guard) {  // somebody was faster, or has opened it in this moment
    decided_seq_.reset();
    forced_cause_.reset();
    reopen();
    return Next::kAgain;
  }
  const auto epoch = HF_TRY(seat_.life_behind_replaced(found.record.epoch));
  if (!epoch) {
    reopen();
    return Next::kAgain;
  }
  life_epoch_ = epoch;
  NewestRecord now = HF_TRY(seat_.ledger->read(*guard));
  return grant(std::move(*guard), now, LockCause::kReplaced, *epoch);
}

Result<std::optional<Attempt::Next>> Attempt::presume_dead(const NewestRecord& found) {
  if (!request_.presume_dead) return std::nullopt;
  const auto seen = HF_TRY(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock_));
  if (!seen) {
    outcome_.detail = "the system does not tell who holds it, so nobody is presumed dead";
    return std::nullopt;
  }
  outcome_.detail.clear();
  if (*seen >= *request_.presume_dead) return replace(found, "presumed-dead");
  deadline_wake_ = clock_.mono() + (*request_.presume_dead - *seen);
  return std::nullopt;
}

}  // namespace holdfast::lock
