// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/ledger.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "lock/ledger/layout.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"
#include "os/lock/lock_holders.h"
#include "os/lock/lock_wait.h"
#include "os/machine/real_clock.h"

namespace holdfast::lock {
namespace {

constexpr int kMakeTries = 100;  // so many that a clean-up beside it is not taken for damage
constexpr std::uint64_t kReserve = 1024;
// About as long as a grant keeps GUARD; to sleep, however short, costs five times that.
constexpr int kGuardTries = 24;

// The first page of a new ledger.
std::string first_page(std::uint64_t fence, std::int64_t now_ns) {
  std::string page(kLedgerPage, '\0');
  const std::string header = encode_ledger_header();
  std::ranges::copy(header, page.begin());
  LockRecord record;
  record.seq = 1;
  record.generation = fence;
  record.changed_ns = now_ns;
  encode(record, page.data() + kRecordOffset);
  encode(FenceMark{.seq = 1, .mark = fence}, page.data() + kMarkOffset);
  return page;
}

Result<> make(const Place& place, const FenceHome& fences, const Clock& clock) {
  const std::uint64_t fence = std::max(HF_TRY(fences.mark()), fence_floor(clock));
  const std::int64_t now = clock.wall().time_since_epoch().count();
  auto staged = HF_TRY(os::StagedFile::create(*place.dir, kPrivateFile));
  HF_TRY(staged.write_all(first_page(fence, now)));
  // That the name is taken by now is as good. Synced: an empty ledger after a power cut would be
  // damage that somebody has to look at.
  const auto placed = HF_TRY(staged.publish_new(place.ledger));
  static_cast<void>(placed);
  return {};
}

}  // namespace

void Guard::drop() {
  if (file_ == nullptr) return;
  // Where it cannot be unlocked, it goes with the description.
  const auto unlocked = os::unlock_bytes(*std::exchange(file_, nullptr), kGuardByte, bytes_);
  static_cast<void>(unlocked);
}

// A waiter's byte is given back before its grant, and a reader does not come here: the two are all
// that the description has.
Result<> Guard::drop_with_life(std::uint64_t epoch) {
  return os::unlock_at_least(*std::exchange(file_, nullptr), kGuardByte, guard_to_life(epoch));
}

// What was read here without GUARD is a first guess: an epoch to ask for, and slots that need not
// be decoded again if they are still the same under it. Where they cannot be read, that is for
// then.
void Ledger::look_at_page(std::string_view page) {
  if (page.size() < kLedgerPage) return;
  mark_seen_ = highest_mark(page.substr(kMarkOffset, kMarkBytes),
                            page.substr(kMarkOffset + kMarkStride, kMarkBytes));
  auto newest = newest_record(page.substr(kRecordOffset, kRecordBytes),
                              page.substr(kRecordOffset + kRecordBytes, kRecordBytes));
  if (!newest) return;
  first_epoch_ = newest->record.epoch;
  known_ = std::make_unique<Known>();
  std::memcpy(known_->bytes.data(), page.data() + kRecordOffset, known_->bytes.size());
  known_->newest = std::move(*newest);
  known_->whole = true;
}

Result<Ledger> Ledger::adopt(os::OpenedFile opened) {
  HF_TRY(check_lock_file(opened, GroupMayWrite::kNo));
  auto& [file, info] = opened;
  std::array<char, kLedgerPage> page;  // NOLINT: read_into fills it, or says how far
  const std::size_t got = HF_TRY(file.read_into(0, page));
  const std::string_view header = std::string_view(page.data(), got).substr(0, kLedgerHeaderBytes);
  if (auto known = check_ledger_header(header, file.path()); !known) {
    if (known.error().code == ErrorCode::kCorrupt) {
      known.error().detail +=
          "; when nothing runs under this lock, remove the file: its fence goes "
          "on from the mark in the home";
    }
    return fail(known.error());
  }
  const auto pinned = os::pin_lock_file(file);
  static_cast<void>(pinned);  // it is a courtesy
  Ledger ledger(std::move(file), info.id);
  ledger.look_at_page({page.data(), got});
  return ledger;
}

Result<std::optional<Ledger>> Ledger::open(const Place& place) {
  if (!place.dir) return std::nullopt;
  auto opened = HF_TRY(os::open_without_times(*place.dir, place.ledger, os::Access::kReadWrite));
  if (!opened) return std::nullopt;
  return HF_TRY(adopt(std::move(*opened)));
}

Result<Ledger> Ledger::open_or_make(const Place& place, const FenceHome& fences,
                                    const Clock& clock) {
  for (int tries = 0; tries < kMakeTries; ++tries) {
    auto ledger = HF_TRY(open(place));
    if (ledger) return std::move(*ledger);
    HF_TRY(make(place, fences, clock));
  }
  return fail({.code = ErrorCode::kCannotTell,
               .op = "lock",
               .subject = place.label,
               .cause = "vanishes",
               .detail = "somebody keeps removing " + place.ledger_path});
}

// Asleep in the kernel. What the helper got in the moment in which it was ended is ours as well, so
// it is asked for once more; on the same description that costs nothing.
Result<bool> Ledger::wait_for_guard(Duration patience) const {
  const auto try_once = [&] { return os::try_lock_byte(file_, kGuardByte, os::Share::kExclusive); };
  if (patience <= Duration::zero()) return false;
  const os::BlockOn guard_byte{
      .kind = os::BlockOn::Kind::kByte, .handle = file_.native(), .offset = kGuardByte};
  const auto woken =
      os::blocked_wait(guard_byte, nullptr, 0, nullptr, os::RealClock().mono() + patience);
  if (woken) return try_once();
  // Without a thread to wait in, a release must not fail all the same.
  if (woken.error().code == ErrorCode::kOsRefused)
    return os::wait_for_lock(patience, try_once, os::pause);
  return fail(woken.error());
}

Result<Guard> Ledger::guard(Duration patience) const {
  for (int tries = 0; tries < kGuardTries; ++tries) {
    if (HF_TRY(os::try_lock_byte(file_, kGuardByte, os::Share::kExclusive))) return Guard(file_);
  }
  if (HF_TRY(wait_for_guard(patience))) return Guard(file_);
  std::string who = "a process";
  for (const os::Pid pid : os::byte_holders(id_, kGuardByte)) {
    who = "process " + std::to_string(os::number(pid));
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "change the record of",
               .subject = file_.path(),
               .cause = "guard-timeout",
               .detail = who + " has been in the middle of a change for too long; it may be "
                               "stopped"});
}

Result<std::optional<Guard>> Ledger::try_guard_and_life(std::uint64_t epoch) const {
  const std::uint64_t bytes = guard_to_life(epoch);
  if (!HF_TRY(os::try_lock_bytes(file_, kGuardByte, bytes, os::Share::kExclusive)))
    return std::nullopt;
  return Guard(file_, bytes - 1);
}

Result<const NewestRecord*> Ledger::read_slots() const {
  std::array<char, 2 * kRecordBytes> slots;  // NOLINT: read_into fills it, or says how far
  const std::size_t got = HF_TRY(file_.read_into(kRecordOffset, slots));
  const bool all_there = got == slots.size();
  if (known_ && known_->whole && all_there && slots == known_->bytes) return &known_->newest;
  const std::string_view all(slots.data(), got);
  auto newest = newest_record(all.substr(0, kRecordBytes),
                              got > kRecordBytes ? all.substr(kRecordBytes) : std::string_view());
  if (!newest) {
    known_.reset();
    newest.error().subject = file_.path();
    return fail(newest.error());
  }
  if (!known_) known_ = std::make_unique<Known>();
  known_->whole = all_there;
  if (all_there) known_->bytes = slots;
  known_->newest = std::move(*newest);
  return &known_->newest;
}

Result<const NewestRecord*> Ledger::peek(const Guard& /*guard*/) const { return read_slots(); }

Result<NewestRecord> Ledger::read(const Guard& /*guard*/) const { return *HF_TRY(read_slots()); }

Result<NewestRecord> Ledger::read() const {
  const auto newest = read_slots();
  if (newest) return **newest;
  if (newest.error().code != ErrorCode::kCorrupt) return fail(newest.error());
  const Guard held = HF_TRY(guard());
  return read(held);
}

Result<> Ledger::write(const Guard& /*guard*/, LockRecord&& next) {
  Known& known = *known_;
  next.seq = known.newest.record.seq + 1;
  const int slot = 1 - known.newest.slot;
  const std::size_t at = static_cast<std::size_t>(slot) * kRecordBytes;
  const bool was_whole = std::exchange(known.whole, false);  // not after a write that failed
  encode(next, known.bytes.data() + at);
  HF_TRY(file_.write_at(kRecordOffset + at, {known.bytes.data() + at, kRecordBytes}));
  // Texts that were cut are not what is there.
  const bool texts_fit = next.host.size() <= kMaxHost && next.reason.size() <= kMaxReason &&
                         next.command.size() <= kMaxCommand;
  known.newest.record = std::move(next);
  known.newest.slot = slot;
  known.newest.other_damaged = false;
  known.whole = was_whole && texts_fit;
  return {};
}

Result<> Ledger::write(const Guard& guard, NewestRecord& now, LockRecord next) {
  if (!known_) known_ = std::make_unique<Known>();
  const NewestRecord& last = known_->newest;
  known_->whole = known_->whole && last.record.seq == now.record.seq && last.slot == now.slot;
  known_->newest = now;
  HF_TRY(write(guard, std::move(next)));
  now = known_->newest;
  return {};
}

// What was there before lies in the other slot.
Result<> Ledger::take_back(const Guard& guard) {
  std::array<char, kRecordBytes> bytes{};
  const auto slot = static_cast<std::uint64_t>(1 - known_->newest.slot);
  const std::size_t got = HF_TRY(file_.read_into(kRecordOffset + slot * kRecordBytes, bytes));
  auto before = HF_TRY(decode_lock_record({bytes.data(), got}));
  if (!before) return {};
  return write(guard, std::move(*before));
}

Result<std::uint64_t> Ledger::mark() const {
  std::array<char, kMarkStride + kMarkBytes> marks{};
  const std::size_t got = HF_TRY(file_.read_into(kMarkOffset, marks));
  const std::string_view all(marks.data(), got);
  return highest_mark(all.substr(0, kMarkBytes),
                      got > kMarkStride ? all.substr(kMarkStride) : std::string_view());
}

Result<bool> Ledger::is_reserved(std::uint64_t generation) {
  if (generation <= mark_seen_) return true;
  mark_seen_ = HF_TRY(mark());
  return generation <= mark_seen_;
}

// The slot that is written is never the one with the higher mark: a torn write leaves that one. Who
// reads the new mark before it is synced may use it all the same, because the home's mark is synced
// by then.
Result<> Ledger::reserve(std::uint64_t generation, const FenceHome& fences) {
  const std::uint64_t wanted = generation + kReserve;
  HF_TRY(fences.raise(wanted));
  {
    const Guard held = HF_TRY(guard());
    std::array<char, kMarkStride + kMarkBytes> marks{};
    const std::size_t got = HF_TRY(file_.read_into(kMarkOffset, marks));
    const std::string_view all(marks.data(), got);
    const auto mark_in = [&](std::size_t at) {
      const auto found =
          decode_fence_mark(at < got ? all.substr(at, kMarkBytes) : std::string_view());
      return found && *found ? **found : FenceMark{};
    };
    const FenceMark first = mark_in(0);
    const FenceMark second = mark_in(kMarkStride);
    if (std::max(first.mark, second.mark) < wanted) {
      const FenceMark next{.seq = std::max(first.seq, second.seq) + 1, .mark = wanted};
      std::array<char, kMarkBytes> bytes{};
      encode(next, bytes.data());
      const std::uint64_t at = kMarkOffset + (first.mark > second.mark ? kMarkStride : 0);
      HF_TRY(file_.write_at(at, {bytes.data(), bytes.size()}));
    }
  }
  return file_.sync_data();
}

Result<bool> Ledger::is_named(const Place& place) const {
  return HF_TRY(place.dir->id_of(place.ledger)) == id_;
}

Result<const os::SharedWord*> Ledger::moved() {
  if (!moved_) moved_.emplace(HF_TRY(os::SharedWord::map(file_, kMovedOffset)));
  return &*moved_;
}

Result<> Ledger::tell_waiters(const Guard& /*guard*/) { return HF_TRY(moved())->bump(); }

}  // namespace holdfast::lock
