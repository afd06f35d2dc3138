// SPDX-License-Identifier: Apache-2.0
//
// The order that everything here rests on:
//
//   1. `moved` is read before the record, so a change in between ends the sleep at once.
//   2. Life is taken before GUARD, and the record is read again under GUARD. Whatever was read
//      before only says which byte to ask for.
//   3. The name is compared under GUARD, after life is ours: a grant on a nameless inode would
//      exclude nobody.
//   4. The generation is reserved before it is used; the sync is done without GUARD, with life.
//   5. Decisions go to the journal before GUARD, and the record is compared again under it.
//   6. Events go out after GUARD; so is what was taken from somebody synced.
//
// Dying anywhere: before the record is written, life goes with the description and the record is as
// it was. After it, the record names this process, which is dead, and the next one recovers it.
#include "lock/grant/attempt.h"

#include <algorithm>
#include <array>

#include "base/budget.h"
#include "base/cause.h"
#include "base/units.h"
#include "lock/grant/force.h"
#include "lock/grant/identity.h"
#include "lock/ledger/foreign.h"
#include "lock/ledger/layout.h"
#include "os/machine/machine_id.h"
#include "os/machine/random.h"
#include "os/machine/real_clock.h"
#include "os/watch/poll.h"
#include "os/watch/watch.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {
namespace {

constexpr Duration kBehindWriter = std::chrono::seconds(1);
constexpr Duration kPassBy = std::chrono::milliseconds(100);
// For what tells nobody when it changes: a kernel without pidfds or without watches.
constexpr Duration kLookAgain = std::chrono::seconds(1);
constexpr int kManyRounds = 32;

}  // namespace

Attempt::Attempt(Seat& seat, const AcquireRequest& request, const FenceHome& fences,
                 const Clock& clock, const LockEvents& events, const proc::Identity& own)
    : seat_(seat),
      request_(request),
      fences_(fences),
      clock_(clock),
      events_(events),
      own_(own),
      share_(share_of(request.mode)),
      begun_(clock.mono()) {
  if (request.wait) until_ = begun_ + std::min(*request.wait, kLongestTime);
  const auto end = budget_end();
  if (!end || (until_ && *until_ <= *end)) return;
  until_ = end;
  out_of_time_is_ = cause::kBudget;
}

Result<AcquireOutcome> Attempt::run() {
  const auto loop = [&]() -> Result<> {
    for (;;) {
      HF_TRY(seat_.open(fences_, clock_, life_for(request_.binding)));
      if (waiting_) moved_seen_ = HF_TRY(HF_TRY(seat_.ledger->moved())->load());
      Next next = HF_TRY(try_once());
      if (next == Next::kWait) next = HF_TRY(wait());
      if (next == Next::kDone) return {};
      // Whatever goes round and round has an end, too.
      if (++rounds_ > kManyRounds && out_of_time()) {
        end(AcquireOutcome::Kind::kBusy, out_of_time_is_);
        return {};
      }
    }
  };
  const auto done = loop();
  const bool granted = done && outcome_.kind == AcquireOutcome::Kind::kGranted;
  if (!granted && seat_.ledger && life_epoch_) seat_.give_life_back(*life_epoch_);
  if (!done) {
    reopen();  // with every byte that a failed step may have left
    return fail(done.error());
  }
  return std::move(outcome_);
}

// --- one look

Result<Attempt::Next> Attempt::try_once() {
  deadline_wake_.reset();
  if (request_.mode == LockMode::kShared && !stood_behind_writer_) {
    if (HF_TRY(wait_behind_writer()) == Next::kDone) return Next::kDone;
  }
  // It is nearly always still that one, and with_life sees under GUARD whether it is.
  if (const auto guess = std::exchange(seat_.last_epoch, std::nullopt); guess && !waiting_) {
    life_epoch_ = guess;
    if (share_ == os::Share::kExclusive && seat_.life_is_on_ledger()) {
      if (auto guard = HF_TRY(seat_.ledger->try_guard_and_life(*guess)))
        return with_life(*guess, std::move(guard));
    }
    if (HF_TRY(seat_.take_life(*guess, share_))) return with_life(*guess);
  }
  // Who is about to sleep looks under GUARD: a change whose writer has already woken the sleepers,
  // and has not written it yet, is waited for.
  std::optional<Guard> guard;
  if (waiting_) guard.emplace(HF_TRY(seat_.ledger->guard()));
  const auto found = guard ? seat_.ledger->read(*guard) : seat_.ledger->read();
  guard.reset();
  if (!found) return unreadable(found.error());
  forget_force_unless(found->record);
  const std::uint64_t epoch = found->record.epoch;
  if (life_epoch_ && *life_epoch_ != epoch) seat_.give_life_back(*life_epoch_);
  life_epoch_ = epoch;
  if (!HF_TRY(seat_.take_life(epoch, share_))) return without_life(*found);
  return with_life(epoch);
}

// The kernel still knows whether somebody lives.
Result<Attempt::Next> Attempt::unreadable(const Error& error) {
  if (error.code != ErrorCode::kCorrupt) return fail(error);
  if (life_epoch_) seat_.give_life_back(*life_epoch_);
  bool taken = false;
  if (seat_.sidecar) {
    taken = !HF_TRY(seat_.take_life(0, share_));
    if (!taken) seat_.give_life_back(0);
  } else {
    taken = HF_TRY(os::is_any_byte_taken(seat_.ledger->file(), kLifeFrom));
  }
  const bool denied = !taken && HF_TRY(is_any_life_denied(seat_.place));
  if (!taken && !denied) return fail(error);
  outcome_.holder = {.state = LockState::kHeld, .evidence = "damaged-record"};
  if (denied) {
    look_again_soon();
  } else if (seat_.sidecar) {
    life_epoch_ = 0;
    wait_for_life(0);
  } else {
    // Which byte it is cannot be told, so it waits for all of them, and gives them back at once.
    block_on_ = {.kind = os::BlockOn::Kind::kByte,
                 .handle = seat_.ledger->file().native(),
                 .offset = kLifeFrom,
                 .count = 0};
  }
  return Next::kWait;
}

// A reader that comes while a writer waits lets it go first, for a while.
Result<Attempt::Next> Attempt::wait_behind_writer() {
  stood_behind_writer_ = true;
  if (out_of_time()) return Next::kAgain;
  const auto writer = HF_TRY(waiting_writer(*seat_.ledger));
  if (!writer) return Next::kAgain;
  const std::uint64_t byte = waiter_byte(*writer);
  const MonoTime patience = clock_.mono() + kBehindWriter;
  const os::BlockOn gone{.kind = os::BlockOn::Kind::kByte,
                         .handle = seat_.ledger->file().native(),
                         .offset = byte,
                         .share = os::Share::kShared};
  const auto woken = os::blocked_wait(gone, nullptr, 0, request_.cancel,
                                      until_ ? std::min(*until_, patience) : patience);
  HF_TRY(os::unlock_byte(seat_.ledger->file(), byte));
  if (HF_TRY(woken) == os::Woken::kCancelled) return end(AcquireOutcome::Kind::kCancelled);
  return Next::kAgain;
}

Result<Attempt::Next> Attempt::with_life(std::uint64_t epoch, std::optional<Guard> taken_along) {
  if (seat_.sidecar && !seat_.place.is_path) {
    const Next next = HF_TRY(respect_foreign_claim(epoch));
    if (next == Next::kStartOver) return Next::kAgain;
    if (next != Next::kAgain) return next;
  }
  NewestRecord now;
  {
    if (!taken_along) taken_along.emplace(HF_TRY(seat_.ledger->guard()));
    Guard guard = std::move(*taken_along);
    const auto found = seat_.ledger->peek(guard);
    if (!found) return unreadable(found.error());
    const LockRecord& record = (*found)->record;
    if (record.epoch != epoch) return Next::kAgain;
    if (record.state == LockState::kRetired) {
      guard.drop();
      return leave_retired();
    }
    if (record.state == LockState::kFree)
      return grant(std::move(guard), **found, forced_cause_.value_or(LockCause::kFresh), epoch);
    // The readers of another boot are dead, and what they hold is taken over, not joined.
    const bool of_this_boot = record.work.boot == own_.boot;
    if (record.mode == LockMode::kShared && request_.mode == LockMode::kShared && of_this_boot)
      return join(std::move(guard), **found, epoch);
    now = **found;
  }
  return recover(now, epoch);
}

// Whoever retired it may have died before it removed the name.
Result<Attempt::Next> Attempt::leave_retired() {
  {
    const Guard guard = HF_TRY(seat_.ledger->guard());
    const bool retired = HF_TRY(seat_.ledger->read(guard)).record.state == LockState::kRetired;
    if (retired && HF_TRY(seat_.is_named()))
      HF_TRY(seat_.place.dir->remove_file(seat_.place.ledger));
  }
  reopen();
  return Next::kAgain;
}

// Looked at once more with the watch in place: a change between the look and the watch, of the
// content or of the name, would wake nobody.
Result<std::optional<ForeignClaim>> Attempt::foreign_claim() {
  for (const bool watched : {false, true}) {
    if (!HF_TRY(seat_.is_named())) return std::nullopt;
    ForeignClaim claim = HF_TRY(judge_foreign_claim(*seat_.sidecar, clock_));
    if (watched || claim.kind != ForeignClaim::Kind::kLive) return claim;
    auto watch = os::watch_file(*seat_.sidecar);
    foreign_watch_ = watch ? std::move(*watch) : os::Handle();
    if (!foreign_watch_.valid()) return claim;
  }
  return std::nullopt;  // not reached
}

Result<Attempt::Next> Attempt::respect_foreign_claim(std::uint64_t epoch) {
  auto found = HF_TRY(foreign_claim());
  if (!found) {
    reopen();
    return Next::kStartOver;
  }
  ForeignClaim& claim = *found;
  switch (claim.kind) {
    case ForeignClaim::Kind::kNone:
    case ForeignClaim::Kind::kDead:
      return Next::kAgain;
    case ForeignClaim::Kind::kUnknown:
      if (trusts_kernel()) {
        HF_TRY(events_.will_take(claim.holder, "trust-kernel, " + claim.holder.evidence,
                                 Duration::zero()));
        return Next::kAgain;
      }
      return fail({.code = ErrorCode::kCannotTell,
                   .op = "lock",
                   .subject = seat_.place.label,
                   .cause = "foreign-record",
                   .detail = "the file beside it holds the record of another tool, and whether its "
                             "holder lives cannot be told (" +
                             claim.holder.evidence +
                             "); nothing was locked; --trust kernel lets the free lock of the "
                             "kernel decide, as flock(1) does"});
    case ForeignClaim::Kind::kLive:
      break;
  }
  seat_.give_life_back(epoch);
  outcome_.holder = std::move(claim.holder);
  pidfd_ = std::move(claim.pidfd);
  block_on_ = {};
  if (pidfd_.valid() || foreign_watch_.valid()) {
    block_on_ = {
        .kind = os::BlockOn::Kind::kReadable, .handle = pidfd_.get(), .also = foreign_watch_.get()};
  }
  // One of the two would wake nobody.
  if (!pidfd_.valid() || !foreign_watch_.valid()) deadline_wake_ = clock_.mono() + kLookAgain;
  return Next::kWait;
}

// Life is ours, and the record says that somebody holds the lock. Judging may wait for a process to
// end, so GUARD is not held; what is decided is decided about this record, and compared again.
Result<Attempt::Next> Attempt::recover(const NewestRecord& found, std::uint64_t epoch) {
  const LockRecord& record = found.record;
  if (!HF_TRY(seat_.is_named())) {  // its holder is lost, whatever the record says
    reopen();
    return Next::kAgain;
  }
  Seen seen;
  if (record.mode == LockMode::kShared) {
    seen = HF_TRY(look_at_readers(record));
  } else {
    seen = look_at(record, true);
  }
  const Decision decision = decide(seen);
  switch (decision.step) {
    case Step::kGrant: {
      Guard guard = HF_TRY(seat_.ledger->guard());
      const NewestRecord now = HF_TRY(seat_.ledger->read(guard));
      if (now.record.seq != record.seq) return Next::kAgain;
      outcome_.before = holder_of(record, outcome_.evidence);
      return grant(std::move(guard), now, decision.cause, epoch);
    }
    case Step::kReopen:
      return leave_retired();
    case Step::kTake:
      return take(found, epoch, decision.cause);
    case Step::kKill:
      return kill(record);
    case Step::kKillRefused:
      return kill_refused(record);
    case Step::kCannotTell:
      return fail(
          {.code = ErrorCode::kCannotTell,
           .op = "lock",
           .subject = seat_.place.label,
           .cause = "holder-unknown",
           .detail = "no process holds it in the kernel, but whether the work of its last "
                     "holder has ended cannot be told (" +
                     outcome_.evidence +
                     "); `holdfast locks` shows it, `holdfast break` ends it, and --trust kernel "
                     "lets the free lock of the kernel decide, as flock(1) does"});
    case Step::kWaitLife:
    case Step::kWaitWork:
    case Step::kWaitDeadline:
    case Step::kReplace:
    case Step::kTakeRefused:
      break;
  }
  seat_.give_life_back(epoch);
  outcome_.holder = holder_of(record, outcome_.evidence);
  wake_at_deadline(record, seen);
  block_on_ = {};
  if (decision.step == Step::kWaitWork && reader_byte_) {
    block_on_ = {.kind = os::BlockOn::Kind::kByte,
                 .handle = seat_.ledger->file().native(),
                 .offset = *reader_byte_,
                 .share = os::Share::kShared};
  } else if (decision.step == Step::kWaitWork && pidfd_.valid()) {
    block_on_ = {.kind = os::BlockOn::Kind::kReadable, .handle = pidfd_.get()};
  } else if (decision.step == Step::kWaitWork) {
    deadline_wake_ = clock_.mono() + kLookAgain;  // a kernel that cannot tell of its end
  }
  return Next::kWait;
}

Result<Attempt::Next> Attempt::without_life(const NewestRecord& found) {
  const LockRecord& record = found.record;
  if (!HF_TRY(seat_.is_named())) {
    reopen();
    return Next::kAgain;
  }
  if (HF_TRY(is_unlocked_late(record))) return with_life(record.epoch);
  const bool foreign =
      seat_.sidecar && (record.state == LockState::kFree || is_record_of_dead(record, seat_.place));
  if (foreign) {
    outcome_.holder = foreign_holder(*seat_.sidecar);
    outcome_.holder.elsewhere = seat_.place.is_path;
    if (const auto next = HF_TRY(presume_dead(found))) return *next;
  } else {
    outcome_.holder = holder_of(record, "life-held");
  }
  const Seen seen = look_at(record, false);
  const Decision decision = decide(seen);
  switch (decision.step) {
    case Step::kReopen:
      return leave_retired();
    case Step::kTake:
      return take(found, record.epoch + 1, decision.cause);
    case Step::kKill:
      return kill(record);
    case Step::kReplace:
      if (const auto next = HF_TRY(replace(found, "replaced"))) return *next;
      wait_for_life(record.epoch);
      return Next::kWait;
    case Step::kKillRefused:
      if (is_left_by_its_owner(record)) return take(found, record.epoch + 1, LockCause::kExpired);
      return kill_refused(record);
    case Step::kTakeRefused:
      return take_refused();
    default:
      break;
  }
  if (!foreign) wake_at_deadline(record, seen);
  const bool idle = record.state == LockState::kFree && !seat_.sidecar;
  // A newer record may stand in a damaged slot: then this one is no ground to pass anybody by.
  const bool orphaned = is_orphaned(record);
  if (!found.other_damaged && (idle || orphaned)) {
    if (nobody_goes_on(record)) return pass_by(found);
    if (orphaned) outlast_keeper();
  }
  wait_for_life(record.epoch);
  return Next::kWait;
}

// Somebody has life and does not go on, because it was stopped: a contender between life and GUARD,
// which holds nothing yet, or the keeper of an owner that is dead. It is passed by on the next
// epoch; when it goes on, it finds that under GUARD.
bool Attempt::nobody_goes_on(const LockRecord& record) {
  const MonoTime now = clock_.mono();
  if (!idle_since_ || idle_seq_ != record.seq) {
    idle_since_ = now;
    idle_seq_ = record.seq;
  }
  deadline_wake_ = *idle_since_ + kPassBy;
  return now >= *deadline_wake_;
}

bool Attempt::is_orphaned(const LockRecord& record) {
  if (record.state != LockState::kHeld || record.mode != LockMode::kExclusive) return false;
  if (record.binding != LockBinding::kOwner) return false;
  proc::LifeVerdict verdict = proc::judge(from_record(record.work));
  if (verdict.life != proc::Life::kDead) return false;
  outcome_.evidence = std::move(verdict.evidence);
  return true;
}

// The dead hold nobody up, also who does not wait: its keeper is about to see the end of its owner,
// and is passed by if it does not.
void Attempt::outlast_keeper() {
  MonoTime patience = *idle_since_ + kPassBy;
  if (const auto end = budget_end()) patience = std::min(patience, *end);
  if (until_ && *until_ < patience) until_ = patience;
}

Result<Attempt::Next> Attempt::pass_by(const NewestRecord& found) {
  const bool orphaned = found.record.state == LockState::kHeld;
  if (orphaned && seat_.sidecar) {
    if (HF_TRY(end_keeper(found.record, kPassBy))) return Next::kAgain;
    idle_since_.reset();
    return Next::kWait;
  }
  Guard guard = HF_TRY(seat_.ledger->guard());
  const NewestRecord now = HF_TRY(seat_.ledger->read(guard));
  if (now.record.seq != found.record.seq) return Next::kAgain;
  const std::uint64_t epoch = found.record.epoch + 1;
  seat_.give_life_back(found.record.epoch);
  life_epoch_ = epoch;
  if (!HF_TRY(seat_.take_life(epoch, share_))) {
    wait_for_life(epoch);
    return Next::kWait;
  }
  if (orphaned) outcome_.before = holder_of(found.record, outcome_.evidence);
  return grant(std::move(guard), now, orphaned ? LockCause::kDead : LockCause::kFresh, epoch);
}

// --- granting

// A record of another boot may be an older one that a power cut brought back, and a new ledger
// knows nothing of the one that had its name before: both go on above everything that was ever
// reserved.
Result<std::uint64_t> Attempt::next_generation(const LockRecord& record) {
  const bool doubt = record.cause == LockCause::kCreated || record.work.boot != own_.boot;
  if (!doubt) return record.generation + 1;
  if (!doubtful_generation_ || doubtful_seq_ != record.seq) {
    doubtful_seq_ = record.seq;
    const std::uint64_t ledger_mark = HF_TRY(seat_.ledger->mark());
    const std::uint64_t home_mark = HF_TRY(fences_.mark());
    doubtful_generation_ =
        std::max({record.generation, ledger_mark, home_mark, fence_floor(clock_)}) + 1;
  }
  return *doubtful_generation_;
}

LockRecord Attempt::record_of_grant(const LockRecord& before, LockCause cause) {
  static const std::string kHost = os::host_name();
  LockRecord record;
  record.state = LockState::kHeld;
  record.mode = request_.mode;
  record.binding = request_.binding;
  record.yields = request_.yields;
  record.cause = cause;
  record.epoch = before.epoch;
  record.token = request_.mode == LockMode::kShared ? Id128{} : granted_.grant.token;
  record.work = request_.work ? *request_.work : to_record(own_);
  record.keeper = to_record(own_);
  record.since_ns = to_nanoseconds(clock_.wall());
  record.changed_ns = record.since_ns;
  if (request_.ttl) {
    const BootTime now = clock_.boot();
    const Duration ttl = std::min(*request_.ttl, kLongestTime);
    record.ttl_ns = ttl.count();
    record.beat_ns = to_nanoseconds(now);
    record.deadline_ns = to_nanoseconds(now + ttl);
    granted_.grant.deadline = now + ttl;
    granted_.grant.ttl = ttl;
  }
  record.host = kHost;
  record.reason = request_.reason;
  record.command = request_.command;
  return record;
}

Result<Attempt::Next> Attempt::grant(Guard guard, const NewestRecord& now, LockCause cause,
                                     std::uint64_t epoch) {
  const std::uint64_t generation = HF_TRY(next_generation(now.record));
  if (!HF_TRY(seat_.ledger->is_reserved(generation))) {
    guard.drop();
    HF_TRY(seat_.ledger->reserve(generation, fences_));
    return Next::kAgain;
  }
  granted_.grant = {
      .token = HF_TRY(os::random_token()), .fence = generation, .mode = request_.mode};
  LockRecord record = record_of_grant(now.record, cause);
  record.generation = generation;
  record.epoch = epoch;
  // Readers that never released: their slots would outlive the shared hold that they belong to.
  if (now.record.state == LockState::kHeld && now.record.mode == LockMode::kShared) {
    for (const Reader& reader : HF_TRY(list_readers(*seat_.ledger))) {
      HF_TRY(clear_reader_slot(*seat_.ledger, guard, reader.slot));
    }
  }
  if (request_.mode == LockMode::kShared && !HF_TRY(take_slot(guard, now.record))) {
    guard.drop();
    return end(AcquireOutcome::Kind::kBusy, "readers-full");
  }
  // Taken from somebody: whoever waits for that one's byte or its end must look again.
  const bool moved = decided_seq_ || epoch != now.record.epoch;
  Written written = Written::kNo;
  const auto write_and_look = [&]() -> Result<bool> {
    if (moved) HF_TRY(seat_.ledger->tell_waiters(guard));
    HF_TRY(seat_.ledger->write(guard, std::move(record)));
    written = Written::kYes;
    // After the write: had the name been compared before it, the ledger could have lost its name in
    // between and another have been granted a fence that this one then repeats.
    return seat_.is_named();
  };
  const auto named = write_and_look();
  if (!named) {
    undo(guard, written);
    return fail(named.error());
  }
  // Where the lock file was removed and the ledger was not, the next look would find us as holder.
  if (!*named) undo(guard, written);
  guard.drop();
  if (!*named) {
    reopen();
    return Next::kAgain;
  }
  // Whoever it was taken from must not have it again after a power cut. Without the sync nothing is
  // granted; the record names this process, and the next one recovers it.
  const bool from_somebody =
      decided_seq_ || cause == LockCause::kExpired || cause == LockCause::kReplaced;
  if (from_somebody) HF_TRY(seat_.ledger->sync());
  finish(cause, epoch, generation);
  return Next::kDone;
}

// What was written for a grant that did not come about: the record is again as it was, before
// anybody else could look. Where that fails as well, the record names this process, and contenders
// wait for its end.
void Attempt::undo(const Guard& guard, Written record) {
  if (granted_.reader_slot) {
    const auto cleared = clear_reader_slot(*seat_.ledger, guard, *granted_.reader_slot);
    static_cast<void>(cleared);
    granted_.reader_slot.reset();
  }
  if (record == Written::kNo) return;
  const auto taken_back = seat_.ledger->take_back(guard);
  static_cast<void>(taken_back);
}

Result<Attempt::Next> Attempt::join(Guard guard, const NewestRecord& now, std::uint64_t epoch) {
  granted_.grant = {.token = HF_TRY(os::random_token()), .mode = LockMode::kShared};
  if (!HF_TRY(take_slot(guard, now.record))) {
    guard.drop();
    return end(AcquireOutcome::Kind::kBusy, "readers-full");
  }
  const auto named = seat_.is_named();
  if (!named) {
    undo(guard, Written::kNo);
    return fail(named.error());
  }
  if (!*named) undo(guard, Written::kNo);
  guard.drop();
  if (!*named) {
    reopen();
    return Next::kAgain;
  }
  finish(LockCause::kFresh, epoch, now.record.generation);
  return Next::kDone;
}

Result<bool> Attempt::take_slot(const Guard& guard, const LockRecord& record) {
  const ReaderSlot facts{.token = granted_.grant.token,
                         .binding = request_.binding,
                         .yields = request_.yields,
                         .work = request_.work ? *request_.work : to_record(own_),
                         .since_ns = to_nanoseconds(clock_.wall()),
                         .command = request_.command};
  granted_.reader_slot =
      HF_TRY(take_reader_slot(*seat_.ledger, guard, facts, record.state == LockState::kHeld));
  return granted_.reader_slot.has_value();
}

void Attempt::finish(LockCause cause, std::uint64_t epoch, std::uint64_t fence) {
  granted_.grant.fence = fence;
  granted_.epoch = epoch;
  seat_.last_epoch = epoch;
  outcome_.kind = AcquireOutcome::Kind::kGranted;
  outcome_.cause = cause;
  outcome_.waited = clock_.mono() - begun_;
  if (cause == LockCause::kFresh && !decided_seq_) outcome_.evidence.clear();
  if (!decided_seq_) {
    return events_.acquired(granted_.grant, outcome_,
                            {.pid = request_.work ? request_.work->pid : os::number(own_.pid),
                             .command = request_.command,
                             .reason = request_.reason});
  }
  outcome_.before = taken_from_;
  outcome_.evidence = taken_evidence_;
  // The decision is on record already; this says that it was carried out.
  const auto told = events_.taken(granted_.grant, taken_from_, taken_evidence_);
  static_cast<void>(told);
}

}  // namespace holdfast::lock
