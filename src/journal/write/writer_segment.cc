// SPDX-License-Identifier: Apache-2.0
//
// Opening, sealing, replacing and dropping segments.
#include <algorithm>
#include <numeric>
#include <utility>

#include "journal/read/summary.h"
#include "journal/store/blob_store.h"
#include "journal/write/commit.h"
#include "journal/write/live_segment.h"
#include "journal/write/reserve.h"
#include "journal/write/writer.h"
#include "os/file/staged_file.h"
#include "os/machine/random.h"

namespace holdfast::journal {
namespace {

// A record names at most this many, so that it fits; further ones get another.
constexpr std::size_t kMaxDroppedAtOnce = 256;
constexpr std::size_t kMaxDamagedRanges = 64;

// Many places in one segment become one that covers them all.
std::vector<ByteRange> bounded(std::vector<ByteRange> ranges) {
  if (ranges.size() <= kMaxDamagedRanges) return ranges;
  const std::uint64_t end = ranges.back().offset + ranges.back().bytes;
  return {{.offset = ranges.front().offset, .bytes = end - ranges.front().offset}};
}

}  // namespace

SegmentOpened::Previous Writer::as_previous() const {
  return {.head = live_->end.hash, .last_seq = live_->end.seq, .bytes = live_->size};
}

// The file gets its name only when its first records are in it and synced; the directory is synced
// before any of them counts (rule J3).
Result<> Writer::open_segment(const Id128& journal, std::uint64_t number, const ChainEnd& end,
                              std::optional<SegmentOpened::Previous> previous,
                              const AddMore& more) {
  Batch batch(journal, end);
  batch.add(own_entry(SegmentOpened::kType, encode(SegmentOpened{.journal = journal,
                                                                 .number = number,
                                                                 .previous = previous,
                                                                 .boot = boot_,
                                                                 .host = host_})));
  if (more) more(batch);
  const SegmentRef ref{.first_seq = end.seq + 1, .compressed = false};
  const os::SafeName name = segment_name(ref);
  os::StagedFile staged = HF_TRY(os::StagedFile::create(dir_, 0600));
  HF_TRY(staged.write_all(batch.bytes()));
  const Result<os::Placed> placed = staged.publish_new(name);
  if (!placed) {
    // Named but perhaps not for good: a segment that may vanish must not take records.
    if (placed.error().code == ErrorCode::kNotDurable) static_cast<void>(dir_.remove_file(name));
    return fail(placed.error());
  }
  std::optional<os::File> file = HF_TRY(dir_.open_file(name, os::Access::kAppend));
  if (*placed == os::Placed::kNameTaken || !file) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "open a segment of the journal",
                 .subject = dir_.path_of(name),
                 .cause = "segment-exists",
                 .detail = "somebody else made or removed it meanwhile; nothing was changed"});
  }
  const os::FileInfo info = HF_TRY(file->info());
  live_ = Live{.ref = ref,
               .handle = std::make_shared<SegmentHandle>(*std::move(file)),
               .id = info.id,
               .journal = journal,
               .number = number,
               .size = batch.bytes().size(),
               .end = batch.end()};
  segments_.push_back(ref);
  // Others may have the segment before open, and nothing at its end tells them that it was left:
  // the note does. Without it there must be no new segment.
  if (const Result<> noted = note_head(); !noted) {
    static_cast<void>(dir_.remove_file(name));
    live_.reset();
    return fail(noted.error());
  }
  static_cast<void>(state_->write(SyncNote{
      .boot = boot_, .segment = ref.first_seq, .size = live_->size, .seq = live_->end.seq}));
  return {};
}

Result<> Writer::open_next(const AddMore& more) {
  return open_segment(live_->journal, live_->number + 1, live_->end, as_previous(), more);
}

// A segment in which some lines are damaged gets no seal: the next one says what is wrong with it.
Result<> Writer::seal_and_open_next() {
  const Summary summary = HF_TRY(summarise(dir_, {.ref = live_->ref, .size = live_->size}));
  std::vector<Entry> notes;
  if (summary.damaged.empty()) {
    Batch batch(live_->journal, live_->end);
    batch.add(own_entry(SegmentSealed::kType, encode(summary.sealed)));
    HF_TRY(write(batch));
  } else {
    for (const ByteRange& range : bounded(summary.damaged)) {
      JournalRepaired damaged{.kind = JournalRepaired::Kind::kDamaged};
      damaged.segment = live_->ref.first_seq;
      damaged.offset = range.offset;
      damaged.bytes = range.bytes;
      damaged.says = "found when it was to be sealed";
      notes.push_back(own_entry(JournalRepaired::kType, encode(damaged)));
    }
  }
  if (const Result<> synced = live_->handle->file.sync(); !synced) {
    poison(as_written(), synced.error());
    HF_TRY(replace_poisoned(as_written(), synced.error(), notes));
    return {};
  }
  const auto sealed = live_->handle;
  HF_TRY(open_next([&](Batch& batch) {
    for (const Entry& note : notes) batch.add(note);
  }));
  // Not before the next one has its name: if we die in between, or the disk is full, the next
  // writer must be able to open this one, to find its seal and go on.
  if (summary.damaged.empty()) static_cast<void>(sealed->file.set_mode(0400));
  // What is too much stays until the next rotation where it cannot be dropped now.
  if (!drop_oldest(limits_.keep_bytes) && !live_) HF_TRY(find_end());
  if (!drop_.full) ensure_reserve(dir_);
  return {};
}

Result<bool> Writer::rotate() {
  EndIsKnown end(live_);
  HF_TRY(settle(true));
  const bool any = live_->end.seq != live_->ref.first_seq;
  if (any) HF_TRY(seal_and_open_next());
  end.keep();
  return any;
}

// At once and without the journal's lock: whoever syncs this segment from now on must not be
// believed.
void Writer::poison(const Written& written, const Error& cause) {
  poison_segment(*written.handle, state_.get(), boot_, written.segment);
  failed_ = {.segment = written.segment, .cause = cause.cause};
}

Result<JournalSyncError> Writer::sync_error(const Written& written, std::string_view cause) const {
  const std::optional<SyncNote> synced = HF_TRY(state_->read()).sync;
  const std::uint64_t known =
      synced && synced->segment == written.segment ? synced->seq : written.segment;
  JournalSyncError error{.segment = written.segment, .error = std::string(cause), .unknown = {}};
  if (known < written.last_seq) error.unknown = SeqRange{known + 1, written.last_seq};
  return error;
}

Result<Writer::Replaced> Writer::replace_poisoned(const Written& written, const Error& cause,
                                                  std::span<const Entry> own) {
  EndIsKnown end(live_);
  failed_ = {.segment = written.segment, .cause = cause.cause, .repeat = own, .repeated = false};
  live_.reset();
  const Result<> settled = settle(true);
  const bool repeated = std::exchange(failed_.repeated, false);
  failed_.repeat = {};
  if (!settled) return fail(settled.error());
  if (repeated) {
    end.keep();
    return Replaced{.written = as_written(), .must_sync = false};
  }
  // Somebody has gone on to another segment, and may not know of the failure.
  const JournalSyncError error = HF_TRY(sync_error(written, cause.cause));
  std::vector<Entry> entries{own_entry(JournalSyncError::kType, encode(error))};
  entries.insert(entries.end(), own.begin(), own.end());
  const Written again = HF_TRY(append(entries, true));
  end.keep();
  return Replaced{.written = again, .must_sync = true};
}

Result<> Writer::make_durable(std::span<const Entry> own) {
  const Result<> synced = live_->handle->file.sync();
  if (synced) return {};
  poison(as_written(), synced.error());
  if (HF_TRY(replace_poisoned(as_written(), synced.error(), own)).must_sync) {
    return live_->handle->file.sync();
  }
  return {};
}

Result<std::size_t> Writer::retain(std::uint64_t keep_bytes) {
  EndIsKnown end(live_);
  HF_TRY(settle(true));
  const std::size_t dropped = HF_TRY(drop_oldest(keep_bytes));
  end.keep();
  return dropped;
}

// Oldest first, and never the live segment or the one that it continues. What each held is told by
// the header of its successor.
Result<std::uint64_t> Writer::size_of(const SegmentRef& ref) const {
  const auto info = HF_TRY(dir_.info(segment_name(ref)));
  return info ? info->size : 0;
}

// The blobs of a segment go with the one after it, which may have records of theirs: so they are
// counted with that one, and those of the newest with the newest.
Result<std::vector<std::uint64_t>> Writer::sizes_with_blobs() const {
  const auto blobs = HF_TRY(blob_bytes(dir_));
  std::vector<std::uint64_t> sizes;
  for (const SegmentRef& ref : segments_) sizes.push_back(HF_TRY(size_of(ref)));
  for (const auto& [segment, bytes] : blobs) {
    const auto after = std::ranges::upper_bound(segments_, segment, {}, &SegmentRef::first_seq);
    const auto at = static_cast<std::size_t>(after - segments_.begin());
    if (!sizes.empty()) sizes[std::min(at, sizes.size() - 1)] += bytes;
  }
  return sizes;
}

Result<std::size_t> Writer::drop_oldest(std::uint64_t keep_bytes) {
  const std::vector<std::uint64_t> sizes = HF_TRY(sizes_with_blobs());
  std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  std::size_t count = 0;
  JournalRetention retention;
  while (total > keep_bytes && count + 2 < segments_.size() && count < kMaxDroppedAtOnce) {
    const Result<SegmentOpened> opened = read_header(dir_, segments_[count + 1]);
    if (!opened || !opened->previous) break;  // it cannot be told what would go: nothing goes
    retention.dropped.push_back(
        {.seqs = {.first = segments_[count].first_seq, .last = opened->previous->last_seq},
         .bytes = HF_TRY(size_of(segments_[count])),
         .head = opened->previous->head});
    total -= sizes[count];
    ++count;
  }
  if (count == 0) return std::size_t{0};
  const std::vector<Entry> own{own_entry(JournalRetention::kType, encode(retention))};
  Batch batch(live_->journal, live_->end);
  batch.add(own.front());
  HF_TRY(write(batch));
  HF_TRY(make_durable(own));
  const std::vector<SegmentRef> gone(segments_.begin(),
                                     segments_.begin() + static_cast<std::ptrdiff_t>(count));
  segments_.erase(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(count));
  for (const SegmentRef& ref : gone) {
    for (const bool compressed : {false, true}) {
      HF_TRY(
          dir_.remove_file(segment_name({.first_seq = ref.first_seq, .compressed = compressed})));
    }
  }
  // A segment that a power cut brings back must not come without its blobs.
  HF_TRY(dir_.sync());
  // A blob may belong to a record of the segment after the one it was made in.
  HF_TRY(remove_blobs_before(dir_, gone.back().first_seq));
  const std::size_t more = HF_TRY(drop_oldest(keep_bytes));
  return count + more;
}

// The end is beyond mending. The new segment continues the last good record there is, with a number
// beyond any that is known to have been given; records that only the damaged bytes knew may have
// had it.
Result<> Writer::begin_behind_damage(const AddMore& more) {
  const StateFile::Notes notes = HF_TRY(state_->read());
  std::optional<Id128> journal;
  std::uint64_t number = segments_.size();
  SegmentOpened::Previous last;
  for (std::size_t i = segments_.size(); i-- > 0 && (!journal || last.last_seq == 0);) {
    const auto info = HF_TRY(dir_.info(segment_name(segments_[i])));
    if (!info) continue;
    if (const Result<SegmentOpened> opened = read_header(dir_, segments_[i]); opened && !journal) {
      journal = opened->journal;
      number = opened->number + (segments_.size() - 1 - i);
    }
    const Summary summary = HF_TRY(summarise(dir_, {.ref = segments_[i], .size = info->size}));
    if (last.last_seq == 0 && summary.sealed.records != 0) {
      last = {
          .head = summary.sealed.head, .last_seq = summary.sealed.seqs.last, .bytes = info->size};
    }
  }
  if (!journal) journal = HF_TRY(os::random_id());
  const std::uint64_t used = std::max(
      {last.last_seq, segments_.back().first_seq, notes.head ? notes.head->seq : std::uint64_t{0}});
  return open_segment(
      *journal, number + 1, {.seq = used, .hash = last.head}, last, [&](Batch& batch) {
        if (used > last.last_seq) {
          batch.add(own_entry(JournalRepaired::kType,
                              encode(JournalRepaired{.kind = JournalRepaired::Kind::kLost,
                                                     .segment = segments_.back().first_seq,
                                                     .offset = 0,
                                                     .bytes = 0,
                                                     .blob = {},
                                                     .lost = SeqRange{last.last_seq + 1, used},
                                                     .same_boot = true,
                                                     .says = "not readable any more"})));
        }
        more(batch);
      });
}

Result<> Writer::acknowledge(std::span<const JournalRepaired> found) {
  EndIsKnown end(live_);
  std::vector<Entry> own;
  for (const JournalRepaired& repaired : found) {
    own.push_back(own_entry(JournalRepaired::kType, encode(repaired)));
  }
  if (const Result<> settled = settle(true); !settled) {
    if (settled.error().code != ErrorCode::kCorrupt) return fail(settled.error());
    HF_TRY(begin_behind_damage([&](Batch& batch) {
      for (const Entry& entry : own) batch.add(entry);
    }));
  } else if (!own.empty()) {
    Batch batch(live_->journal, live_->end);
    for (const Entry& entry : own) batch.add(entry);
    HF_TRY(write(batch));
    HF_TRY(make_durable(own));
  }
  end.keep();
  return {};
}

}  // namespace holdfast::journal
