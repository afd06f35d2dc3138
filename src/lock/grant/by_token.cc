// SPDX-License-Identifier: Apache-2.0
//
// Hostile interleaving: the token was right when its owner read it, and by now the lock is
// another's. So the comparison and the change are one step under GUARD, and the name is compared in
// the same step: a ledger that lost its name is not the lock any more.
#include "lock/grant/by_token.h"

#include <algorithm>
#include <array>

#include "lock/grant/attempt.h"
#include "lock/grant/force.h"
#include "lock/grant/identity.h"
#include "lock/ledger/freed.h"
#include "lock/ledger/layout.h"
#include "lock/ledger/readers.h"
#include "lock/ledger/seat.h"
#include "os/lock/byte_lock.h"
#include "os/lock/lock_holders.h"
#include "os/machine/sha256.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {
namespace {

constexpr Duration kByTokenKeeperPatience = std::chrono::seconds(1);
constexpr std::size_t kBreakIdDigits = 16;

// The hold that a token means, under GUARD.
struct OpenHold {
  Ledger ledger;
  NewestRecord now;
  std::optional<Reader> reader;  // of a shared lock
};

// kNoLock, kNotHolder, or kDone with `hold` filled and GUARD in `guard`.
Result<TokenAnswer> find_hold(const Place& place, const Id128& token, std::optional<OpenHold>& hold,
                              std::optional<Guard>& guard) {
  auto ledger = HF_TRY(Ledger::open(place));
  if (!ledger) return TokenAnswer::kNoLock;
  hold.emplace(OpenHold{.ledger = std::move(*ledger), .now = {}, .reader = {}});
  guard.emplace(HF_TRY(hold->ledger.guard()));
  if (!HF_TRY(hold->ledger.is_named(place))) return TokenAnswer::kNotHolder;
  hold->now = HF_TRY(hold->ledger.read(*guard));
  const LockRecord& record = hold->now.record;
  if (record.state != LockState::kHeld) return TokenAnswer::kNotHolder;
  if (record.mode == LockMode::kExclusive) {
    return record.token == token && token != Id128{} ? TokenAnswer::kDone : TokenAnswer::kNotHolder;
  }
  for (Reader& reader : HF_TRY(list_readers(hold->ledger))) {
    if (reader.facts.token != token) continue;
    hold->reader = std::move(reader);
    return TokenAnswer::kDone;
  }
  return TokenAnswer::kNotHolder;
}

TokenResult result_of(const LockRecord& record, const Clock& clock) {
  TokenResult result{.answer = TokenAnswer::kDone, .fence = record.generation, .mode = record.mode};
  if (record.ttl_ns == 0) return result;
  result.ttl = Duration(record.ttl_ns);
  result.deadline = BootTime(Duration(record.deadline_ns));
  // On another clock the number means nothing: the token still matches, so nobody has taken it.
  const auto own = proc::own_identity();
  const bool same_clock = own && own->boot == record.work.boot && own->timens == record.work.timens;
  result.expired = same_clock && clock.boot() >= *result.deadline;
  return result;
}

// Does somebody still have the flock of the sidecar? What cannot be told counts as yes.
bool sidecar_is_held(const Place& place, std::uint64_t epoch) {
  if (is_life_denied(place, epoch).value_or(true)) return true;
  const auto opened = open_sidecar(place, Make::kNo);
  if (!opened) return true;
  if (!*opened) return false;
  // Asked of the kernel's list first: a try, however short, could fail somebody's `-n`.
  const auto named = os::flock_holder((*opened)->info.id);
  if (named && *named) return true;
  const auto mine = os::try_flock((*opened)->file, os::Share::kShared);
  return !mine || !*mine;
}

// After the record is free. On a named lock the epoch was raised, and nobody's descriptor matters.
Result<TokenAnswer> let_go(const Place& place, const LockRecord& before) {
  if (!place.sidecar) return TokenAnswer::kDone;
  if (before.binding == LockBinding::kOwner) {
    // Whoever has the flock after its end is the next holder.
    if (HF_TRY(end_keeper(before, kByTokenKeeperPatience))) return TokenAnswer::kDone;
  }
  return sidecar_is_held(place, before.epoch) ? TokenAnswer::kStillHeld : TokenAnswer::kDone;
}

struct Stands {
  Standing standing = Standing::kGood;
  std::string evidence{};
};

Stands stands_by(const ProcessIdentity& work) {
  proc::LifeVerdict verdict = proc::judge(from_record(work));
  if (verdict.life == proc::Life::kLive) return {};
  return {.standing = verdict.life == proc::Life::kDead ? Standing::kOver : Standing::kUnknown,
          .evidence = std::move(verdict.evidence)};
}

Result<bool> life_is_taken(const Place& place, const OpenHold& hold) {
  const std::uint64_t epoch = hold.now.record.epoch;
  if (HF_TRY(is_life_denied(place, epoch))) return true;
  if (place.sidecar) return sidecar_is_held(place, epoch);
  return os::is_byte_taken(hold.ledger.file(), life_byte(epoch), os::Share::kExclusive);
}

// As the next contender would judge it (decide.h), without taking anything.
Result<Stands> stands(const Place& place, const OpenHold& hold) {
  const LockRecord& record = hold.now.record;
  const ProcessIdentity& work = hold.reader ? hold.reader->facts.work : record.work;
  const proc::Identity own = HF_TRY(proc::own_identity());
  const bool alive = hold.reader ? hold.reader->alive : HF_TRY(life_is_taken(place, hold));
  if (!alive && is_earlier_boot(work, own, place)) {
    return Stands{.standing = Standing::kOver, .evidence = "other-boot"};
  }
  const bool other_clock = work.boot != own.boot || work.timens != own.timens;
  if (!hold.reader && record.ttl_ns != 0 && other_clock) {
    return Stands{.standing = Standing::kUnknown, .evidence = "other-clock"};
  }
  if (alive || record.binding == LockBinding::kTtl) return Stands{};
  return stands_by(work);
}

// Frees the record for everybody; the epoch rises where life cannot be given back from here. The
// slots of readers come last: dying before the record is free leaves each token as it was, and what
// stands in a slot of a free record is of the past.
Result<> free_all(Ledger& ledger, const Guard& guard, NewestRecord& now, const Place& place,
                  LockCause cause, const Clock& clock) {
  const bool shared = now.record.mode == LockMode::kShared;
  const proc::Identity own = HF_TRY(proc::own_identity());
  const std::uint64_t epoch = now.record.epoch + (place.sidecar ? 0 : 1);
  HF_TRY(ledger.tell_waiters(guard));
  HF_TRY(ledger.write(guard, now, freed(now.record, cause, epoch, own, clock)));
  if (!shared) return {};
  const auto cleared = clear_all_reader_slots(ledger, guard);
  static_cast<void>(cleared);  // the next reader does it
  return {};
}

}  // namespace

Result<TokenResult> renew_by_token(const Place& place, const Id128& token, Lock::Beat beat,
                                   std::optional<Duration> ttl, const Clock& clock) {
  std::optional<OpenHold> hold;
  std::optional<Guard> guard;
  const TokenAnswer answer = HF_TRY(find_hold(place, token, hold, guard));
  if (answer != TokenAnswer::kDone) return TokenResult{.answer = answer};
  TokenResult before = result_of(hold->now.record, clock);
  Stands now = HF_TRY(stands(place, *hold));
  before.standing = now.standing;
  before.evidence = std::move(now.evidence);
  if (before.standing != Standing::kGood || hold->reader) return before;
  LockRecord next = hold->now.record;
  const BootTime at = clock.boot();
  next.beat_ns = to_nanoseconds(at);
  if (beat == Lock::Beat::kProgress) next.progress_ns = to_nanoseconds(at);
  if (ttl) next.ttl_ns = std::min(*ttl, kLongestTime).count();
  const std::int64_t deadline_before = next.deadline_ns;
  if (next.ttl_ns != 0) next.deadline_ns = to_nanoseconds(at + Duration(next.ttl_ns));
  next.changed_ns = to_nanoseconds(clock.wall());
  if (next.deadline_ns < deadline_before) HF_TRY(hold->ledger.tell_waiters(*guard));
  HF_TRY(hold->ledger.write(*guard, hold->now, next));
  TokenResult result = result_of(next, clock);
  result.expired = before.expired;
  return result;
}

Result<std::optional<ProcessIdentity>> bind_by_token(const Place& place, const Id128& token,
                                                     const ProcessIdentity* from,
                                                     const ProcessIdentity& to,
                                                     const Clock& clock) {
  std::optional<OpenHold> hold;
  std::optional<Guard> guard;
  if (HF_TRY(find_hold(place, token, hold, guard)) != TokenAnswer::kDone) return std::nullopt;
  const LockRecord& now = hold->now.record;
  const bool bindable = now.binding == LockBinding::kExec || now.binding == LockBinding::kLib;
  if (hold->reader || !bindable || (from != nullptr && now.work != *from)) return std::nullopt;
  const ProcessIdentity before = now.work;
  LockRecord next = now;
  next.work = to;
  next.changed_ns = to_nanoseconds(clock.wall());
  HF_TRY(hold->ledger.write(*guard, hold->now, next));
  return before;
}

Result<TokenResult> check_by_token(const Place& place, const Id128& token, const Clock& clock) {
  std::optional<OpenHold> hold;
  std::optional<Guard> guard;
  const TokenAnswer answer = HF_TRY(find_hold(place, token, hold, guard));
  if (answer != TokenAnswer::kDone) return TokenResult{.answer = answer};
  TokenResult result = result_of(hold->now.record, clock);
  Stands now = HF_TRY(stands(place, *hold));
  result.standing = now.standing;
  result.evidence = std::move(now.evidence);
  return result;
}

Result<TokenResult> release_by_token(const Place& place, const Id128& token, const Clock& clock,
                                     EventSink* sink) {
  const LockEvents events(sink, place.label);
  std::optional<OpenHold> hold;
  std::optional<Guard> guard;
  const TokenAnswer answer = HF_TRY(find_hold(place, token, hold, guard));
  if (answer != TokenAnswer::kDone) {
    guard.reset();
    if (answer == TokenAnswer::kNotHolder) events.release_refused("not-the-holder");
    return TokenResult{.answer = answer};
  }
  const LockRecord before = hold->now.record;
  TokenResult result = result_of(before, clock);
  Grant grant{.token = token, .fence = before.generation, .mode = before.mode};
  if (hold->reader) {
    // Others are left. The byte of this one is its keeper's, which may be stopped: so the epoch
    // rises here, too. The keeper looks at its slot when `moved` changes, and lets go. The slot
    // comes last: until then the token is good, and releases.
    if (HF_TRY(list_readers(hold->ledger)).size() > 1) {
      LockRecord next = before;
      if (!place.sidecar) ++next.epoch;
      HF_TRY(hold->ledger.tell_waiters(*guard));
      HF_TRY(hold->ledger.write(*guard, hold->now, std::move(next)));
      HF_TRY(clear_reader_slot(hold->ledger, *guard, hold->reader->slot));
      guard.reset();
      events.released(grant);
      return result;
    }
  }
  HF_TRY(free_all(hold->ledger, *guard, hold->now, place, LockCause::kReleased, clock));
  guard.reset();
  result.answer = HF_TRY(let_go(place, before));
  events.released(grant);
  return result;
}

namespace {

Result<std::optional<std::string>> break_id_from(const Ledger& ledger,
                                                 const Result<NewestRecord>& newest) {
  std::string material;
  if (newest) {
    const LockRecord& record = newest->record;
    if (record.state != LockState::kHeld) return std::nullopt;
    material = "hold " + std::to_string(record.generation) + " " + to_hex(record.token);
    if (record.mode == LockMode::kShared) {
      // As bytes: a damaged slot must not keep the rest from being broken.
      material += HF_TRY(ledger.file().read_at(kReaderOffset, kReaderSlots * kReaderBytes));
    }
  } else {
    if (newest.error().code != ErrorCode::kCorrupt) return fail(newest.error());
    material = "damaged " + HF_TRY(ledger.file().read_at(kRecordOffset, 2 * kRecordBytes));
  }
  return to_hex(os::sha256(material)).substr(0, kBreakIdDigits);
}

}  // namespace

Result<std::optional<std::string>> break_id_of(const Ledger& ledger) {
  return break_id_from(ledger, ledger.read());
}

namespace {

Result<std::optional<std::string>> break_id_of(const Ledger& ledger, const Guard& guard) {
  return break_id_from(ledger, ledger.read(guard));
}

HolderView holder_of(const LockRecord& record) {
  HolderView view{.state = record.state,
                  .host = record.host,
                  .since = WallTime(Duration(record.since_ns)),
                  .reason = record.reason,
                  .command = record.command};
  if (record.work.pid > 0) view.pid = record.work.pid;
  return view;
}

// Nothing of the record can be read. With no process alive in it, it is begun again above every
// fence that was ever given out.
Result<TokenAnswer> begin_again(const Place& place, Ledger& ledger, const Guard& guard,
                                const FenceHome& fences, const Clock& clock) {
  const bool denied = HF_TRY(is_any_life_denied(place));
  const bool held =
      denied || (place.sidecar ? sidecar_is_held(place, 0)
                               : HF_TRY(os::is_any_byte_taken(ledger.file(), kLifeFrom)));
  if (held) return TokenAnswer::kStillHeld;
  NewestRecord blank;
  const std::uint64_t ledger_mark = HF_TRY(ledger.mark());
  const std::uint64_t home_mark = HF_TRY(fences.mark());
  LockRecord next;
  next.generation = std::max({ledger_mark, home_mark, fence_floor(clock)});
  next.cause = LockCause::kBroken;
  next.changed_ns = to_nanoseconds(clock.wall());
  HF_TRY(ledger.tell_waiters(guard));
  HF_TRY(ledger.write(guard, blank, next));
  HF_TRY(ledger.write(guard, blank, next));  // both slots, so that no damaged one stays
  return TokenAnswer::kDone;
}

// What the journal says for good must be so for good: else a power cut gives the token back.
Result<> make_break_last(Ledger& ledger) {
  const auto synced = ledger.sync();
  if (!synced) return fail(not_durable(synced.error()));
  return {};
}

}  // namespace

Result<BreakResult> break_lock(const Place& place, const FenceHome& fences, std::string_view id,
                               std::string_view reason, const Clock& clock, EventSink* sink) {
  const LockEvents events(sink, place.label);
  auto ledger = HF_TRY(Ledger::open(place));
  if (!ledger) return BreakResult{.answer = TokenAnswer::kNoLock};
  const auto current = HF_TRY(break_id_of(*ledger));
  if (!current) return BreakResult{.answer = TokenAnswer::kNoLock};
  if (*current != id) return BreakResult{.answer = TokenAnswer::kNotHolder};
  BreakResult result;
  const auto seen = ledger->read();
  if (seen) result.holder = holder_of(seen->record);
  HF_TRY(events.will_break(result.holder, reason));

  std::optional<Guard> guard(HF_TRY(ledger->guard()));
  auto now = ledger->read(*guard);
  if (!now) {
    if (seen) return fail(now.error());
    result.answer = HF_TRY(begin_again(place, *ledger, *guard, fences, clock));
    guard.reset();
    HF_TRY(make_break_last(*ledger));
    return result;
  }
  // The very hold that was looked at, its readers included, at the name that was meant.
  const auto same = HF_TRY(break_id_of(*ledger, *guard));
  if (!seen || same != id || !HF_TRY(ledger->is_named(place))) {
    result.answer = TokenAnswer::kNotHolder;
    return result;
  }
  const LockRecord before = now->record;
  HF_TRY(free_all(*ledger, *guard, *now, place, LockCause::kBroken, clock));
  guard.reset();
  HF_TRY(make_break_last(*ledger));
  result.answer = HF_TRY(let_go(place, before));
  return result;
}

}  // namespace holdfast::lock
