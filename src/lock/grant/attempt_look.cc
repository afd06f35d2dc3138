// SPDX-License-Identifier: Apache-2.0
//
// From a record to what decide.h needs to know about it.
#include <algorithm>

#include "lock/grant/attempt.h"
#include "lock/grant/identity.h"
#include "lock/ledger/layout.h"
#include "os/machine/namespaces.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {
namespace {

// The kernel drops the locks of a killed process shortly before its pidfd tells of the end.
constexpr Duration kExitPatience = std::chrono::milliseconds(50);

Lease lease_of(const LockRecord& record, const proc::Identity& own, BootTime now) {
  if (record.ttl_ns == 0) return Lease::kNone;
  if (record.work.boot != own.boot || record.work.timens != own.timens) return Lease::kOtherClock;
  return to_nanoseconds(now) >= record.deadline_ns ? Lease::kExpired : Lease::kCurrent;
}

}  // namespace

bool is_earlier_boot(const ProcessIdentity& work, const proc::Identity& own, const Place& place) {
  if (work.boot == own.boot || work.boot == Id128{} || work.machine != own.machine) return false;
  if (place.trusted) return true;
  return own.machine != Id128{} && work.pidns == os::kInitialPidNamespace &&
         own.pidns == os::kInitialPidNamespace;
}

bool is_record_of_dead(const LockRecord& record, const Place& place) {
  if (!place.is_path || record.state != LockState::kHeld || record.mode != LockMode::kExclusive)
    return false;
  const auto is_dead = [](const ProcessIdentity& process) {
    return proc::judge(from_record(process)).life == proc::Life::kDead;
  };
  return is_dead(record.work) && is_dead(record.keeper);
}

Seen Attempt::look_at(const LockRecord& record, bool life_is_ours) {
  Seen seen;
  seen.state = record.state;
  seen.binding = record.binding;
  seen.yields = record.yields;
  seen.lease =
      record.state == LockState::kHeld ? lease_of(record, own_, clock_.boot()) : Lease::kNone;
  seen.watched_silence = seen.lease == Lease::kOtherClock && watched_silence(record);
  seen.life_is_ours = life_is_ours;
  seen.sidecar = seat_.sidecar.has_value();
  seen.rebooted = life_is_ours && is_earlier_boot(record.work, own_, seat_.place);
  seen.wish = request_.on_expired;
  seen.trust_kernel = trusts_kernel();
  if (seen.rebooted) {
    outcome_.evidence = "other-boot";
  } else if (life_is_ours && record.state == LockState::kHeld &&
             record.binding != LockBinding::kTtl) {
    judge_work(record.work, seen);
  } else {
    outcome_.evidence = seen.lease == Lease::kExpired ? "expired" : "lease";
  }
  return seen;
}

// Life is ours exclusively. A reader of an earlier epoch may still live; every other one has lost
// its description. The first whose work may live decides.
Result<Seen> Attempt::look_at_readers(const LockRecord& record) {
  Seen seen = look_at(record, true);
  seen.lease = Lease::kNone;
  seen.work = proc::Life::kDead;
  reader_byte_.reset();
  if (seen.rebooted) return seen;
  for (const Reader& reader : HF_TRY(list_readers(*seat_.ledger))) {
    if (reader.alive) {
      seen.work = proc::Life::kLive;
      reader_byte_ = reader_byte(reader.slot);
      outcome_.evidence = "reader-lives";
      break;
    }
    judge_work(reader.facts.work, seen);
    if (seen.work != proc::Life::kDead) break;
  }
  return seen;
}

void Attempt::judge_work(const ProcessIdentity& work, Seen& seen) {
  proc::LifeVerdict verdict = proc::judge(from_record(work), kExitPatience);
  seen.work = verdict.life;
  outcome_.evidence = std::move(verdict.evidence);
  pidfd_ = std::move(verdict.pidfd);
}

bool Attempt::watched_silence(const LockRecord& record) {
  const BootTime now = clock_.boot();
  if (!silent_since_ || silent_seq_ != record.seq) {
    silent_since_ = now;
    silent_seq_ = record.seq;
  }
  return now - *silent_since_ >= Duration(record.ttl_ns);
}

HolderView Attempt::holder_of(const LockRecord& record, std::string_view evidence) const {
  HolderView view{.state = record.state,
                  .host = record.host,
                  .reason = record.reason,
                  .command = record.command,
                  .evidence = std::string(evidence)};
  if (record.since_ns != 0) view.since = WallTime(Duration(record.since_ns));
  const auto pid_here = [&](const ProcessIdentity& work) -> std::optional<std::int32_t> {
    if (work.boot != own_.boot || work.pidns != own_.pidns || work.pid <= 0) return std::nullopt;
    return work.pid;
  };
  view.pid = pid_here(record.work);
  if (record.mode != LockMode::kShared || !seat_.ledger) return view;
  // The record is of the reader that came first, which may have gone.
  const auto readers = list_readers(*seat_.ledger);
  if (!readers || readers->empty()) return view;
  const auto alive = std::ranges::find(*readers, true, &Reader::alive);
  const Reader& reader = alive == readers->end() ? readers->front() : *alive;
  view.pid = pid_here(reader.facts.work);
  view.since = WallTime(Duration(reader.facts.since_ns));
  view.command = reader.facts.command;
  return view;
}

}  // namespace holdfast::lock
