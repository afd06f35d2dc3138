// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/status.h"

#include "format/text/name_escape.h"
#include "lock/grant/attempt.h"
#include "lock/grant/by_token.h"
#include "lock/grant/identity.h"
#include "lock/ledger/foreign.h"
#include "lock/ledger/layout.h"
#include "lock/ledger/readers.h"
#include "lock/ledger/seat.h"
#include "lock/ledger/starts.h"
#include "lock/ledger/waiters.h"
#include "os/lock/lock_holders.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {
namespace {

constexpr std::string_view kSuffix = ".lock";
constexpr Duration kSecondLookPatience = std::chrono::milliseconds(50);

std::optional<std::int32_t> pid_here(const ProcessIdentity& process, const proc::Identity& own) {
  if (process.pid <= 0 || process.boot != own.boot || process.pidns != own.pidns)
    return std::nullopt;
  return process.pid;
}

Result<bool> is_flocked(const os::File& sidecar) {
  const os::FileInfo info = HF_TRY(sidecar.info());
  const auto named = os::flock_holder(info.id);
  if (named && *named) return true;
  if (!HF_TRY(os::try_flock(sidecar, os::Share::kShared))) return true;
  HF_TRY(os::unlock_flock(sidecar));
  return false;
}

class Look {
 public:
  Look(const Place& place, const Clock& clock, const proc::Identity& own)
      : place_(place), clock_(clock), own_(own) {
    status_.label = place.label;
  }

  Result<LockStatus> run() {
    if (place_.sidecar) {
      auto opened = HF_TRY(open_sidecar(place_, Make::kNo));
      if (opened) sidecar_ = std::move(opened->file);
    }
    if (auto ledger = HF_TRY(Ledger::open(place_))) ledger_.emplace(std::move(*ledger));
    HF_TRY(look_twice());
    if (ledger_) {
      status_.break_id = HF_TRY(break_id_of(*ledger_));
      HF_TRY(see_waiters());
    }
    return std::move(status_);
  }

 private:
  // First without GUARD, so that whoever only looks is in nobody's way. But then a release may be
  // met half-way, when the record says held and nobody has life, or may end between our two looks:
  // an ordinary release, seen as a holder that died. So a word that people act on is said of a
  // second look only, under GUARD, where nothing is half-way. Where GUARD cannot be had, the first
  // word stands.
  Result<> look_twice() {
    HF_TRY(look_once(ledger_ ? Result<NewestRecord>(ledger_->read()) : NewestRecord{}));
    const bool is_grave = status_.state == Visible::kStale || status_.state == Visible::kUnknown;
    if (!ledger_ || !is_grave) return {};
    const auto guard = ledger_->guard(kSecondLookPatience);
    if (!guard) return {};
    status_ = {};
    status_.label = place_.label;
    expired_ = false;
    return look_once(ledger_->read(*guard));
  }

  Result<> look_once(const Result<NewestRecord>& newest) {
    if (!newest) return unreadable(newest.error());
    record_ = newest->record;
    const auto seen = readable();
    if (seen) return {};
    if (seen.error().code != ErrorCode::kCorrupt) return fail(seen.error());
    set(Visible::kUnknown, "damaged-reader");
    return {};
  }

  Result<bool> life_is_held() const {
    if (ledger_ && HF_TRY(is_life_denied(place_, record_.epoch))) return true;
    if (place_.sidecar) return sidecar_ ? HF_TRY(is_flocked(*sidecar_)) : false;
    if (!ledger_) return false;
    return os::is_byte_taken(ledger_->file(), life_byte(record_.epoch), os::Share::kExclusive);
  }

  Result<> unreadable(const Error& error) {
    if (error.code != ErrorCode::kCorrupt) return fail(error);
    const bool held = place_.sidecar ? HF_TRY(life_is_held())
                                     : HF_TRY(os::is_any_byte_taken(ledger_->file(), kLifeFrom)) ||
                                           HF_TRY(is_any_life_denied(place_));
    set(held ? Visible::kHeld : Visible::kUnknown, "damaged-record");
    return {};
  }

  Result<> readable() {
    if (ledger_) status_.fence = record_.generation;
    const bool held = HF_TRY(life_is_held());
    if (record_.state != LockState::kHeld) return held ? see_foreign() : see_free();
    if (held && is_record_of_dead(record_, place_)) return see_foreign();
    see_record();
    if (held) {
      see_lease();
      set(Visible::kHeld, expired_ ? "expired" : "life-held");
      return {};
    }
    see_lease();
    return judge();
  }

  Result<> see_free() {
    set(Visible::kFree, "free");
    if (!sidecar_ || place_.is_path) return {};
    const ForeignClaim claim = HF_TRY(judge_foreign_claim(*sidecar_, clock_));
    switch (claim.kind) {
      case ForeignClaim::Kind::kNone:
        return {};
      case ForeignClaim::Kind::kDead:
        set(Visible::kStale, claim.holder.evidence);
        break;
      case ForeignClaim::Kind::kLive:
        set(Visible::kHeld, claim.holder.evidence);
        break;
      case ForeignClaim::Kind::kUnknown:
        set(Visible::kUnknown, claim.holder.evidence);
        break;
    }
    status_.holders.push_back(claim.holder);
    return {};
  }

  // Life without a record: somebody else's flock, or a grant on its way.
  Result<> see_foreign() {
    set(Visible::kHeld, sidecar_ ? "foreign" : "changing");
    if (!sidecar_) return {};
    status_.holders.push_back(foreign_holder(*sidecar_));
    status_.holders.back().elsewhere = place_.is_path;
    return {};
  }

  void see_record() {
    status_.mode = record_.mode;
    status_.binding = record_.binding;
    status_.yields = record_.yields;
    if (record_.mode == LockMode::kExclusive) {
      HolderView view{.state = record_.state,
                      .pid = pid_here(record_.work, own_),
                      .host = record_.host,
                      .since = WallTime(Duration(record_.since_ns)),
                      .reason = record_.reason,
                      .command = record_.command};
      status_.holders.push_back(std::move(view));
      return;
    }
    const auto readers = list_readers(*ledger_);
    if (!readers) return;
    for (const Reader& reader : *readers) {
      status_.holders.push_back({.state = LockState::kHeld,
                                 .pid = pid_here(reader.facts.work, own_),
                                 .host = record_.host,
                                 .since = WallTime(Duration(reader.facts.since_ns)),
                                 .command = reader.facts.command,
                                 .evidence = reader.alive ? "life-held" : "life-free"});
    }
  }

  void see_lease() {
    if (record_.ttl_ns == 0) return;
    status_.ttl = Duration(record_.ttl_ns);
    if (record_.work.boot != own_.boot || record_.work.timens != own_.timens) return;
    const std::int64_t now = to_nanoseconds(clock_.boot());
    status_.left = Duration(record_.deadline_ns - now);
    status_.since_beat = Duration(now - record_.beat_ns);
    if (record_.progress_ns != 0) status_.since_progress = Duration(now - record_.progress_ns);
    expired_ = *status_.left <= Duration::zero();
  }

  // Nobody has life: the identity of the work says the rest.
  Result<> judge() {
    if (record_.mode == LockMode::kShared) return judge_readers();
    if (is_earlier_boot(record_.work, own_, place_)) {
      set(Visible::kStale, "other-boot");
      return {};
    }
    if (record_.binding == LockBinding::kTtl) {
      set(expired_ ? Visible::kStale : Visible::kHeld, expired_ ? "expired" : "lease");
      return {};
    }
    judge_work(record_.work);
    return {};
  }

  Result<> judge_readers() {
    set(Visible::kStale, "no-reader");
    for (const Reader& reader : HF_TRY(list_readers(*ledger_))) {
      if (reader.alive) {
        set(Visible::kHeld, "reader-lives");
        break;
      }
      judge_work(reader.facts.work);
      if (status_.state != Visible::kStale) break;
    }
    return {};
  }

  void judge_work(const ProcessIdentity& work) {
    const proc::LifeVerdict verdict = proc::judge(from_record(work));
    switch (verdict.life) {
      case proc::Life::kLive:
        return set(Visible::kHeld, "work-lives");
      case proc::Life::kDead:
        return set(Visible::kStale, verdict.evidence);
      case proc::Life::kUnknown:
        return set(Visible::kUnknown, verdict.evidence);
    }
  }

  Result<> see_waiters() {
    for (const Waiter& waiter : HF_TRY(list_waiters(*ledger_))) {
      status_.waiters.push_back({.pid = pid_here(waiter.facts.process, own_),
                                 .process = waiter.facts.process,
                                 .mode = waiter.facts.mode,
                                 .since = WallTime(Duration(waiter.facts.since_ns)),
                                 .command = waiter.facts.command});
    }
    return {};
  }

  void set(Visible state, std::string_view evidence) {
    status_.state = state;
    status_.evidence = evidence;
  }

  const Place& place_;
  const Clock& clock_;
  const proc::Identity& own_;
  std::optional<os::File> sidecar_;
  std::optional<Ledger> ledger_;
  LockRecord record_;
  bool expired_ = false;
  LockStatus status_;
};

}  // namespace

std::string_view to_text(Visible state) {
  switch (state) {
    case Visible::kFree:
      return "free";
    case Visible::kHeld:
      return "held";
    case Visible::kStale:
      return "stale";
    case Visible::kUnknown:
      break;
  }
  return "unknown";
}

Result<LockStatus> look_at_lock(const Place& place, const Clock& clock) {
  const proc::Identity own = HF_TRY(proc::own_identity());
  return Look(place, clock, own).run();
}

Result<> each_lock_name(const os::Dir& locks, const std::function<void(std::string name)>& visit,
                        const std::function<void(std::string file)>& stray) {
  return locks.each_entry([&](std::string_view file, os::FileType) {
    if (file == ".fence" || is_life_file(file) || is_starts_file(file)) return os::Visit::kContinue;
    const bool named = file.ends_with(kSuffix);
    auto name = unescape_lock(named ? file.substr(0, file.size() - kSuffix.size()) : file,
                              platform_name_rules());
    if (named && name) {
      visit(std::move(*name));
    } else {
      stray(std::string(file));
    }
    return os::Visit::kContinue;
  });
}

}  // namespace holdfast::lock
