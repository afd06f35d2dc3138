// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger.h"

#include <algorithm>
#include <array>
#include <string>

#include "lock/layout.h"
#include "os/byte_holders.h"
#include "os/lock_wait.h"
#include "os/metadata.h"
#include "os/pause.h"
#include "os/staged_file.h"

namespace holdfast::lock {
namespace {

constexpr std::uint32_t kPrivate = 0600;
constexpr int kMakeTries = 8;
constexpr std::uint64_t kReserve = 1024;
// About as long as a grant keeps GUARD; a pause, however short, costs five times that.
constexpr int kGuardTries = 24;

Error refused(const os::File& file, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "lock with",
          .subject = file.path(),
          .cause = std::string(cause),
          .detail = std::string(detail) + "; nothing was locked"};
}

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
  auto staged = HF_TRY(os::StagedFile::create(place.dir, kPrivate));
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
  const auto unlocked = os::unlock_byte(*std::exchange(file_, nullptr), kGuardByte);
  static_cast<void>(unlocked);
}

Result<os::FileInfo> check_lock_file(const os::File& file, GroupMayWrite group) {
  const os::FileInfo info = HF_TRY(file.info());
  if (info.uid != os::own_uid()) {
    return fail(refused(file, "foreign-owner", "it belongs to another user"));
  }
  if (info.links > 1) return fail(refused(file, "hard-linked", "it has other names"));
  constexpr std::uint32_t kGroupWrite = 020;
  constexpr std::uint32_t kOtherWrite = 002;
  const bool by_group = group == GroupMayWrite::kNo && (info.mode & kGroupWrite) != 0;
  if (by_group || (info.mode & kOtherWrite) != 0) {
    return fail(refused(file, "writable-by-others",
                        "others may change it; take the right away with chmod go-w"));
  }
  return info;
}

Result<Ledger> Ledger::adopt(os::File file) {
  const os::FileInfo info = HF_TRY(check_lock_file(file, GroupMayWrite::kNo));
  std::array<char, kLedgerHeaderBytes> header{};
  const std::size_t got = HF_TRY(file.read_into(0, header));
  if (auto known = check_ledger_header({header.data(), got}, file.path()); !known) {
    if (known.error().code == ErrorCode::kCorrupt) {
      known.error().detail +=
          "; when nothing runs under this lock, remove the file: its fence goes "
          "on from the mark in the home";
    }
    return fail(known.error());
  }
  // Keeps cleaners of temporary directories away; refused only by somebody's exclusive flock, which
  // does the same.
  const auto pinned = os::try_flock(file, os::Share::kShared);
  static_cast<void>(pinned);
  return Ledger(std::move(file), info.id);
}

Result<std::optional<Ledger>> Ledger::open(const Place& place) {
  auto file = HF_TRY(place.dir.open_file(place.ledger, os::Access::kReadWrite));
  if (!file) return std::nullopt;
  return HF_TRY(adopt(std::move(*file)));
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

Result<Guard> Ledger::guard(Duration patience) const {
  const bool got = HF_TRY(os::wait_for_lock(
      patience, [&] { return os::try_lock_byte(file_, kGuardByte, os::Share::kExclusive); },
      os::pause, kGuardTries));
  if (got) return Guard(file_);
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

Result<NewestRecord> Ledger::read_slots() const {
  std::array<char, 2 * kRecordBytes> slots{};
  const std::size_t got = HF_TRY(file_.read_into(kRecordOffset, slots));
  if (known_ && got == slots.size() && slots == known_->bytes) return known_->newest;
  known_.reset();
  const std::string_view all(slots.data(), got);
  auto newest = newest_record(all.substr(0, kRecordBytes),
                              got > kRecordBytes ? all.substr(kRecordBytes) : std::string_view());
  if (!newest) {
    newest.error().subject = file_.path();
  } else if (got == slots.size()) {
    known_ = std::make_unique<Known>(slots, *newest);
  }
  return newest;
}

Result<NewestRecord> Ledger::read(const Guard& /*guard*/) const { return read_slots(); }

Result<NewestRecord> Ledger::read() const {
  auto newest = read_slots();
  if (newest || newest.error().code != ErrorCode::kCorrupt) return newest;
  const Guard held = HF_TRY(guard());
  return read_slots();
}

Result<> Ledger::write(const Guard& /*guard*/, NewestRecord& now, LockRecord next) {
  next.seq = now.record.seq + 1;
  const bool texts_fit = next.host.size() <= kMaxHost && next.reason.size() <= kMaxReason &&
                         next.command.size() <= kMaxCommand;
  const int slot = 1 - now.slot;
  std::array<char, kRecordBytes> bytes{};
  encode(next, bytes.data());
  const std::uint64_t at = kRecordOffset + static_cast<std::uint64_t>(slot) * kRecordBytes;
  std::unique_ptr<Known> known = std::move(known_);  // not after a write that failed
  HF_TRY(file_.write_at(at, {bytes.data(), bytes.size()}));
  now = {.record = std::move(next), .slot = slot, .other_damaged = false};
  if (!known || !texts_fit) return {};
  std::ranges::copy(bytes, known->bytes.begin() + slot * std::ptrdiff_t{kRecordBytes});
  known->newest = now;
  known_ = std::move(known);
  return {};
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
  return HF_TRY(place.dir.id_of(place.ledger)) == id_;
}

Result<const os::SharedWord*> Ledger::moved() {
  if (!moved_) moved_.emplace(HF_TRY(os::SharedWord::map(file_, kMovedOffset)));
  return &*moved_;
}

Result<> Ledger::tell_waiters(const Guard& /*guard*/) { return HF_TRY(moved())->bump(); }

}  // namespace holdfast::lock
