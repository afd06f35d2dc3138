// SPDX-License-Identifier: Apache-2.0
//
// Finding the end of the journal, and mending it where it is torn or shorter than it was.
#include <algorithm>
#include <array>
#include <utility>

#include "format/journal/journal_record.h"
#include "journal/store/blob_store.h"
#include "journal/store/chain.h"
#include "journal/write/live_segment.h"
#include "journal/write/reserve.h"
#include "journal/write/writer.h"
#include "os/machine/random.h"

namespace holdfast::journal {
namespace {

using Kind = JournalRepaired::Kind;

// A moved or deleted segment is noticed by its name, which costs a call; events look this often,
// decisions always.
constexpr std::int64_t kNameCheckEveryUs = 100'000;
// Enough for what a few other writers append between two of ours.
constexpr std::size_t kReadOnBytes = 4096;

Error refused(const os::File& segment, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kCorrupt,
          .op = "append to the journal",
          .subject = segment.path(),
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was changed, see `holdfast journal repair`"};
}

Result<bool> is_all_nul(const os::File& file, std::uint64_t offset, std::uint64_t bytes) {
  const std::string text = HF_TRY(file.read_at(offset, static_cast<std::size_t>(bytes)));
  return text.find_first_not_of('\0') == std::string::npos;
}

// Is there a record among the last megabyte for which `holds` is true?
template <typename Holds>
Result<bool> near_the_end(const os::File& file, std::uint64_t size, const Holds& holds) {
  constexpr std::uint64_t kNear = std::uint64_t{1} << 20;
  const std::uint64_t from = size - std::min(size, kNear);
  const std::string bytes = HF_TRY(file.read_at(from, static_cast<std::size_t>(size - from)));
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const auto record = decode_record(std::string_view(bytes).substr(begin, end - begin));
    begin = end + 1;
    if (record && holds(record->fields)) return true;
  }
  return false;
}

Result<bool> loss_was_said(const os::File& file, std::uint64_t size, std::uint64_t seq) {
  return near_the_end(file, size, [&](const RecordFields& fields) {
    if (fields.type != JournalRepaired::kType) return false;
    const Result<JournalRepaired> repaired = decode_journal_repaired(fields.data, file.path());
    return repaired && repaired->lost && repaired->lost->first <= seq &&
           seq <= repaired->lost->last;
  });
}

}  // namespace

struct Writer::Found {
  SegmentRef ref;
  os::File file;
  SegmentOpened opened;
  Tail tail;
  bool same_boot = true;
  bool poisoned = false;
  std::optional<SeqRange> lost;
  bool newer_gone = false;  // there was a newer segment
};

Result<> Writer::settle(bool careful) {
  // What cannot be read is looked for anew.
  const Result<bool> known = live_ ? caught_up(careful) : Result<bool>(false);
  if (!known || !*known) {
    if (const Result<> found = find_end(); !found) {
      live_.reset();
      return found;
    }
  }
  return settle_report();
}

// A writer noted which record would report what the full disk has cost, and did not clear the note:
// did the record come to be? Asked before anything else is written, while it must be near the end.
Result<> Writer::settle_report() {
  if (drop_.reported_seq == 0) return {};
  const bool reported =
      HF_TRY(near_the_end(live_->handle->file, live_->size, [&](const RecordFields& fields) {
        return fields.seq == drop_.reported_seq && fields.type == JournalFull::kType;
      }));
  DropNote note = reported ? DropNote{} : drop_;
  note.reported_seq = 0;
  HF_TRY(state_->write(note));
  drop_ = note;
  return {};
}

// Is the segment that we know still the one to append to, and are we at its end? If others appended
// meanwhile, their records are read, checked, and the end moves behind them.
//
// Three looks. The note: another segment, poison, or a spill that waits, and the end is found anew.
// The bytes behind our last record: none, or whole records that continue the chain. The name, now
// and then: it still means this file.
//
// The length is found by reading and not with fstat: since Linux 6.13 a file whose times were asked
// for must get a new time with its next write, and that doubles the cost of an append (5.3 to 12
// µs).
Result<bool> Writer::caught_up(bool careful) {
  const StateFile::Glance glance = HF_TRY(state_->glance(head_slot_));
  if (glance.spilled || glance.full != drop_.full || glance.poisoned == live_->ref.first_seq ||
      live_->handle->failed) {
    return false;
  }
  if (glance.changed) {
    if (!glance.changed->note || glance.changed->note->segment != live_->ref.first_seq)
      return false;
    head_slot_ = glance.changed->slot;
  }
  if (!HF_TRY(read_on())) return false;
  const std::int64_t now = now_us_();
  if (!careful && now >= name_checked_us_ && now - name_checked_us_ < kNameCheckEveryUs) {
    return true;
  }
  name_checked_us_ = now;
  const auto named = HF_TRY(dir_.info(segment_name(live_->ref)));
  return named && named->id == live_->id && HF_TRY(state_->is_named(dir_));
}

// False: what stands there is not our last record with nothing but whole, continuing records behind
// it.
Result<bool> Writer::read_on() {
  std::array<char, kReadOnBytes> bytes{};
  for (;;) {
    const std::size_t got =
        HF_TRY(live_->handle->file.read_once(live_->size - kRecordTailBytes, bytes));
    std::string_view rest(bytes.data(), got);
    if (got < kRecordTailBytes ||
        decode_record_tail(rest.substr(0, kRecordTailBytes)) != live_->end.hash) {
      return false;
    }
    rest.remove_prefix(kRecordTailBytes);
    if (rest.empty()) return true;
    const std::uint64_t before = live_->size;
    for (std::size_t newline = 0; (newline = rest.find('\n')) != std::string_view::npos;) {
      const auto record = decode_record(rest.substr(0, newline));
      if (!record || record->fields.seq != live_->end.seq + 1 ||
          record->fields.type == SegmentSealed::kType ||
          chain_hash(live_->journal, live_->end.hash, record->hashed) != record->hash) {
        return false;
      }
      live_->size += newline + 1;
      live_->end = {.seq = record->fields.seq, .hash = record->hash};
      rest.remove_prefix(newline + 1);
    }
    if (live_->size == before) return false;  // half a record, or one too long for this way
  }
}

Result<> Writer::find_end() {
  const std::optional<HeadNote> remembered = live_ ? std::optional(as_note()) : std::nullopt;
  live_.reset();
  HF_TRY(open_state());
  StateFile::Notes notes = HF_TRY(state_->read());
  drop_ = notes.drop;
  // The note may be a millisecond old; we may know better.
  if (remembered && (!notes.head || remembered->seq > notes.head->seq)) notes.head = remembered;
  // First the flag, then the listing: a spill that comes in between raises the flag again. One that
  // cannot be lowered only makes the next writer look again.
  if (notes.spilled) static_cast<void>(state_->set_spilled(false));
  Listing listing = HF_TRY(list_journal(dir_));
  spills_ = std::move(listing.spills);
  segments_ = std::move(listing.segments);
  if (!drop_.full) ensure_reserve(dir_);
  if (segments_.empty()) return begin_journal(notes);

  const SegmentRef ref = segments_.back();
  auto opening =
      dir_.open_file(segment_name(ref), ref.compressed ? os::Access::kRead : os::Access::kAppend);
  // A sealed one may only be read. It is the newest where whoever sealed it died over it, or where
  // somebody removed the one behind it.
  std::optional<Error> only_to_read;
  if (!opening && opening.error().code == ErrorCode::kOsRefused) {
    only_to_read = opening.error();
    opening = dir_.open_file(segment_name(ref), os::Access::kRead);
  }
  std::optional<os::File> file = HF_TRY(std::move(opening));
  if (!file) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "append to the journal",
                 .subject = dir_.path_of(segment_name(ref)),
                 .cause = "segment-vanished",
                 .detail = "it went away while it was opened"});
  }
  if (ref.compressed) {
    return fail(refused(*file, "newest-compressed",
                        "the newest segment is a compressed one, so what followed it is gone"));
  }
  SegmentOpened opened = HF_TRY(read_header(dir_, ref));
  Tail tail = HF_TRY(examine_tail(*file, opened.journal));
  Found found{.ref = ref,
              .file = *std::move(file),
              .opened = std::move(opened),
              .tail = std::move(tail),
              .same_boot = true,
              .poisoned = false,
              .lost = {},
              .newer_gone = false};
  found.poisoned = ref.first_seq == notes.poisoned || ref.first_seq == failed_.segment;
  if (notes.head) HF_TRY(check_against_note(*notes.head, found));
  if (notes.sync) add_lost_synced(*notes.sync, found);
  const os::FileInfo info = HF_TRY(found.file.info());
  live_ = Live{.ref = ref,
               .handle = std::make_shared<SegmentHandle>(std::move(found.file)),
               .id = info.id,
               .journal = found.opened.journal,
               .number = found.opened.number,
               .size = found.tail.good_bytes,
               .end = {.seq = found.tail.seq, .hash = found.tail.hash}};
  name_checked_us_ = now_us_();

  if (found.tail.type == SegmentSealed::kType || found.newer_gone || found.poisoned) {
    return leave_behind(found);
  }
  if (only_to_read) {
    live_.reset();
    return fail(*only_to_read);
  }
  if (found.tail.torn_bytes != 0 || found.lost) return mend_in_place(found);
  HF_TRY(note_head());
  noted_us_ = 0;  // most processes write one record: it is noted, however soon it comes
  return {};
}

// What the last writer noted, against what is there now. Shorter: records are lost. Long enough,
// but with something else where the note's record was: somebody rewrote the past, and a person must
// look at it. (NUL bytes there are a device's doing, not a person's: lost.)
Result<> Writer::check_against_note(const HeadNote& note, Found& found) {
  found.same_boot = note.boot == boot_ && boot_ != Id128{};
  if (note.segment < found.ref.first_seq) return {};
  found.newer_gone = note.segment > found.ref.first_seq;
  const Tail& tail = found.tail;
  if (found.newer_gone) {
    if (note.seq > tail.seq) found.lost = SeqRange{tail.seq + 1, note.seq};
    return {};
  }
  if (note.size > tail.good_bytes) {
    const bool rewritten = note.size <= tail.good_bytes + tail.torn_bytes && found.same_boot &&
                           !HF_TRY(is_all_nul(found.file, tail.good_bytes, tail.torn_bytes));
    if (note.seq > tail.seq && !rewritten) {
      found.lost = SeqRange{tail.seq + 1, note.seq};
      return {};
    }
  } else {
    if (note.size < kRecordTailBytes) return {};
    const std::string noted =
        HF_TRY(found.file.read_at(note.size - kRecordTailBytes, kRecordTailBytes));
    if (decode_record_tail(noted) == note.head) return {};
  }
  // A writer that recorded a loss and died before it renewed the note has left the old one.
  if (HF_TRY(loss_was_said(found.file, tail.good_bytes, note.seq))) return {};
  return fail(refused(found.file, "head-changed",
                      "the record that ended it at seq " + std::to_string(note.seq) +
                          " is not there any more; something else is in its place"));
}

// Records that were synced once, and of which the head note knows nothing (a file system that was
// taken away and came back gives each file its own past). Their numbers are not given again either,
// which is also what makes a SyncNote safe to believe by number alone.
void Writer::add_lost_synced(const SyncNote& note, Found& found) {
  const std::uint64_t known = found.lost ? found.lost->last : found.tail.seq;
  if (note.segment < found.ref.first_seq || note.seq <= known) return;
  found.lost = SeqRange{found.lost ? found.lost->first : found.tail.seq + 1, note.seq};
}

Result<> Writer::begin_journal(const StateFile::Notes& notes) {
  const Id128 journal = HF_TRY(os::random_id());
  if (!notes.head) return open_segment(journal, 1, {}, std::nullopt, nullptr);
  // There was a journal, and every segment of it is gone. Its numbers are not given again.
  const HeadNote& note = *notes.head;
  return open_segment(
      journal, 1, {.seq = note.seq, .hash = note.head},
      SegmentOpened::Previous{.head = note.head, .last_seq = note.seq, .bytes = note.size},
      [&](Batch& batch) {
        batch.add(own_entry(
            JournalRepaired::kType,
            encode(JournalRepaired{.kind = Kind::kLost,
                                   .segment = note.segment,
                                   .offset = 0,
                                   .bytes = 0,
                                   .blob = {},
                                   .lost = SeqRange{1, note.seq},
                                   .same_boot = note.boot == boot_,
                                   .says = "every segment of the journal before is gone"})));
      });
}

Result<Digest> Writer::keep_torn_bytes(const Found& found) {
  const std::string torn = HF_TRY(live_->handle->file.read_at(
      found.tail.good_bytes, static_cast<std::size_t>(found.tail.torn_bytes)));
  return HF_TRY(put_blob(dir_, found.ref.first_seq, torn, os::Durability::kFull)).digest;
}

namespace {

JournalRepaired lost_records(const SegmentRef& ref, std::uint64_t offset, const SeqRange& lost,
                             bool same_boot, std::string says) {
  return {.kind = Kind::kLost,
          .segment = ref.first_seq,
          .offset = offset,
          .bytes = 0,
          .blob = {},
          .lost = lost,
          .same_boot = same_boot,
          .says = std::move(says)};
}

}  // namespace

// The damaged bytes are kept before they are overwritten, and the record that says so is written
// over them: at no moment is the segment shorter than its good part or without a trace of what was
// there. A crash in between leaves a torn end again, with its bytes in a blob.
Result<> Writer::mend_in_place(const Found& found) {
  Batch batch(live_->journal, live_->end);
  if (found.lost) {
    batch.skip_to(found.lost->last);
    batch.add(own_entry(
        JournalRepaired::kType,
        encode(lost_records(found.ref, live_->size, *found.lost, found.same_boot,
                            found.same_boot ? "somebody made the segment shorter"
                                            : "records of an earlier boot did not survive it"))));
  }
  if (found.tail.torn_bytes != 0) {
    const Digest blob = HF_TRY(keep_torn_bytes(found));
    batch.add(own_entry(JournalRepaired::kType,
                        encode(JournalRepaired{.kind = Kind::kTorn,
                                               .segment = found.ref.first_seq,
                                               .offset = found.tail.good_bytes,
                                               .bytes = found.tail.torn_bytes,
                                               .blob = blob,
                                               .lost = {},
                                               .same_boot = found.same_boot,
                                               .says = "bytes behind the last whole record"})));
  }
  // A handle of its own: one that appends would ignore the offset.
  std::optional<os::File> file =
      HF_TRY(dir_.open_file(segment_name(live_->ref), os::Access::kReadWrite));
  if (!file || HF_TRY(file->info()).id != live_->id) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "repair the end of the journal",
                 .subject = live_->handle->file.path(),
                 .cause = "segment-vanished",
                 .detail = "it went away meanwhile"});
  }
  HF_TRY(file->write_at(live_->size, batch.bytes()));
  live_->size += batch.bytes().size();
  HF_TRY(file->truncate(live_->size));
  live_->end = batch.end();
  return note_head();
}

// Nothing more goes into this segment: it is sealed, poisoned, or followed by one that is gone.
// What is wrong with it is said in the next.
Result<> Writer::leave_behind(Found& found) {
  // Rule J3: what is left is on stable storage before anything counts in the next.
  if (!found.poisoned) {
    if (const Result<> synced = live_->handle->file.sync(); !synced) {
      poison(as_written(), synced.error());
      found.poisoned = true;
    }
  }
  std::optional<JournalSyncError> error;
  if (found.poisoned) error = HF_TRY(sync_error(as_written(), failed_.cause));
  const SegmentOpened::Previous previous = as_previous();
  ChainEnd end = live_->end;
  if (found.lost) end.seq = found.lost->last;
  return open_segment(live_->journal, live_->number + 1, end, previous, [&](Batch& batch) {
    if (found.lost) {
      batch.add(
          own_entry(JournalRepaired::kType,
                    encode(lost_records(found.ref, live_->size, *found.lost, found.same_boot,
                                        found.newer_gone ? "a newer segment is gone"
                                                         : "the segment is shorter than it was"))));
    }
    if (error) {
      batch.add(own_entry(JournalSyncError::kType, encode(*error)));
      for (const Entry& entry : failed_.repeat) batch.add(entry);
      failed_.repeated = true;
    }
    const bool sealed = found.tail.type == SegmentSealed::kType;
    if (found.tail.torn_bytes != 0 || (!sealed && !error)) {
      JournalRepaired left{.kind = Kind::kDamaged};
      left.segment = found.ref.first_seq;
      left.offset = found.tail.good_bytes;
      left.bytes = found.tail.torn_bytes;
      left.same_boot = found.same_boot;
      left.says = sealed ? "bytes behind its seal" : "it was left unsealed";
      batch.add(own_entry(JournalRepaired::kType, encode(left)));
    }
  });
}

}  // namespace holdfast::journal
