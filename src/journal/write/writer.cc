// SPDX-License-Identifier: Apache-2.0
#include "journal/write/writer.h"

#include <algorithm>
#include <utility>

#include "format/journal/event_type.h"
#include "format/journal/journal_record.h"
#include "journal/store/blob_store.h"
#include "journal/write/reserve.h"
#include "journal/write/spill.h"

namespace holdfast::journal {
Writer::Writer(os::Dir dir, Limits limits, Id128 boot, std::string host,
               std::function<Stamp()> stamp, std::function<std::int64_t()> now_us)
    : dir_(std::move(dir)),
      limits_(limits),
      boot_(boot),
      host_(std::move(host)),
      stamp_(std::move(stamp)),
      now_us_(std::move(now_us)) {}

Entry Writer::own_entry(std::string_view type, const EventData& data) const {
  const EventType* known = find_event_type(type);
  return {.stamp = stamp_(),
          .event_class = known != nullptr ? known->event_class : EventClass::kEvent,
          .type = std::string(type),
          .data = data.json()};
}

HeadNote Writer::as_note() const {
  return {.boot = boot_,
          .segment = live_->ref.first_seq,
          .size = live_->size,
          .seq = live_->end.seq,
          .head = live_->end.hash};
}

Written Writer::as_written() const {
  return {.segment = live_->ref.first_seq, .last_seq = live_->end.seq, .handle = live_->handle};
}

Result<Written> Writer::append(std::span<const Entry> entries, bool careful) {
  EndIsKnown end(live_);
  HF_TRY(settle(careful));
  std::uint64_t estimate = 0;
  for (const Entry& entry : entries) {
    estimate += entry.data.size() + entry.type.size() + kMaxWriterBytes + kRecordFrameBytes;
  }
  if (rotation_due(estimate) || blobs_are_due(entries)) HF_TRY(seal_and_open_next());
  for (const Entry& entry : entries) HF_TRY(check_blob_is_safe(entry));

  Batch batch(live_->journal, live_->end);
  const bool over = HF_TRY(add_end_of_full_disk(batch));
  const std::vector<Id128> merged = HF_TRY(add_spills(batch));
  for (const Entry& entry : entries) batch.add(entry);
  HF_TRY(write(batch, careful ? Note::kNow : Note::kSoon));
  end.keep();
  full_since_append_ = false;
  // The records are in. What follows is tidying, and is done again by the next writer where it
  // fails.
  if (over && state_->write(DropNote{})) {
    drop_ = {};
    ensure_reserve(dir_);
  }
  if (!merged.empty()) static_cast<void>(remove_spills(dir_, merged));
  return as_written();
}

// The count is exact: it is read from the note, which others may have raised, and the note first
// says which record will report it, so that a death in between does not report it twice.
Result<bool> Writer::add_end_of_full_disk(Batch& batch) {
  if (!drop_.full) return false;
  drop_ = HF_TRY(state_->read()).drop;
  if (drop_.reported_seq != 0) HF_TRY(settle_report());
  if (!drop_.full) return false;
  if (full_since_append_ || !has_room_again(dir_)) return false;
  drop_.reported_seq = live_->end.seq + 1;
  HF_TRY(state_->write(drop_));
  batch.add(own_entry(JournalFull::kType, encode(JournalFull{.ended = true,
                                                             .dropped_trace = drop_.dropped_trace,
                                                             .dropped_event = drop_.dropped_event,
                                                             .since_us = drop_.since_us})));
  return true;
}

// A blob outlives its record only if the record is in the blob's segment or in the next
// (blob_store.h).
Result<> Writer::check_blob_is_safe(const Entry& entry) const {
  if (entry.blob_segment == 0 || segments_.size() < 2) return {};
  if (entry.blob_segment >= segments_[segments_.size() - 2].first_seq) return {};
  return fail({.code = ErrorCode::kBusy,
               .op = "append to the journal",
               .subject = dir_.path(),
               .cause = std::string(kRotatedMeanwhile),
               .detail = "it was rotated twice since the data of the event was stored"});
}

bool Writer::rotation_due(std::uint64_t more_bytes) const {
  const std::uint64_t records = live_->end.seq + 1 - live_->ref.first_seq;
  // A fresh segment takes what does not fit into any: one oversized batch is no reason to go on
  // opening segments.
  if (records <= 1) return false;
  return live_->size + more_bytes > limits_.segment_bytes || records >= limits_.segment_records;
}

// Retention drops whole segments, so the blobs of one are bounded like its records.
bool Writer::blobs_are_due(std::span<const Entry> entries) const {
  const bool any = std::ranges::any_of(entries, [](const Entry& e) { return e.blob_segment != 0; });
  if (!any || live_->end.seq == live_->ref.first_seq) return false;
  auto bytes = blob_bytes(dir_, live_->ref.first_seq);
  return bytes && (*bytes)[live_->ref.first_seq] > limits_.segment_bytes;
}

// A spill that cannot be read is left where it is: one bad file must not stop the journal.
Result<std::vector<Id128>> Writer::add_spills(Batch& batch) {
  if (spills_.empty()) return std::vector<Id128>{};
  const std::size_t count = std::min(spills_.size(), kMaxMergedAtOnce);
  std::vector<Id128> merged(spills_.begin(), spills_.begin() + static_cast<std::ptrdiff_t>(count));
  spills_.erase(spills_.begin(), spills_.begin() + static_cast<std::ptrdiff_t>(count));
  const std::set<Id128> before = HF_TRY(merged_before(dir_, segments_, merged));
  std::erase_if(merged, [&](const Id128& id) {
    if (before.contains(id)) return false;  // only its file is left
    const Result<ReadSpill> spill = read_spill(dir_, id);
    if (!spill) return true;
    for (Entry entry : spill->entries) {
      if (!keep_blob(entry)) return true;
      batch.add(entry);
    }
    return spill->entries.empty() && !add_unreadable_spill(batch, id, spill->unreadable);
  });
  return merged;
}

// The blob of a spilled event belongs to a segment that may go before the record does.
bool Writer::keep_blob(Entry& entry) {
  const std::optional<BlobRef> blob = parse_blob_data(entry.data);
  if (!blob || blob->segment == live_->ref.first_seq) return true;
  const auto bytes = get_blob(dir_, *blob);
  // Gone or damaged, as after a power cut: verify says so, and the spill must not stay for ever.
  if (!bytes && bytes.error().code != ErrorCode::kCorrupt) return false;
  if (!bytes || !*bytes) return true;
  const auto again = put_blob(dir_, live_->ref.first_seq, **bytes, os::Durability::kNone);
  if (again) entry.data = blob_data(*again, (*bytes)->size()).json();
  return again.has_value();
}

bool Writer::add_unreadable_spill(Batch& batch, const Id128& id, std::string_view bytes) {
  const auto blob = put_blob(dir_, live_->ref.first_seq, bytes, os::Durability::kFull);
  if (!blob) return false;
  JournalRepaired repaired{.kind = JournalRepaired::Kind::kTorn};
  repaired.segment = live_->ref.first_seq;
  repaired.offset = live_->size;
  repaired.bytes = bytes.size();
  repaired.blob = blob->digest;
  repaired.says = spill_name(id).str() + " held no readable event";
  batch.add(own_entry(JournalRepaired::kType, encode(repaired)));
  return true;
}

// One write; a write that fails halfway is taken back at once. If even that fails, the next writer
// finds a torn end and mends it.
Result<> Writer::write(const Batch& batch, Note note) {
  const Result<> written = live_->handle->file.write_all(batch.bytes());
  if (!written) {
    static_cast<void>(live_->handle->file.truncate(live_->size));
    live_.reset();
    return fail(written.error());
  }
  live_->size += batch.bytes().size();
  live_->end = batch.end();
  // The records are in, whatever becomes of the note: it is then behind, which is allowed.
  if (!note_head(note)) head_slot_.clear();
  return {};
}

// What sharing a note gives up: if this process then ends *and* somebody cuts the segment short,
// the loss of that last millisecond is not known.
Result<> Writer::note_head(Note when) {
  const std::int64_t now = now_us_();
  if (when == Note::kSoon && now >= noted_us_ && now - noted_us_ < limits_.note_every_us) return {};
  noted_us_ = now;
  Result<std::string> slot = state_->write(as_note());
  if (!slot) {
    head_slot_.clear();
    return fail(std::move(slot).error());
  }
  head_slot_ = *std::move(slot);
  return {};
}

Result<> Writer::open_state() {
  state_ = std::make_shared<StateFile>(HF_TRY(StateFile::open(dir_)));
  return {};
}

Result<> Writer::count_dropped(EventClass event_class) {
  if (!state_) HF_TRY(open_state());
  DropNote note = HF_TRY(state_->read()).drop;
  ++(event_class == EventClass::kTrace ? note.dropped_trace : note.dropped_event);
  note.full = true;
  HF_TRY(state_->write(note));
  drop_ = note;
  return {};
}

Result<bool> Writer::begin_full() {
  const bool had = HF_TRY(give_up_reserve(dir_));
  full_since_append_ = true;
  if (!state_) HF_TRY(open_state());
  DropNote note = HF_TRY(state_->read()).drop;
  if (!note.full) {
    note.full = true;
    note.since_us = stamp_().wall_us;
    HF_TRY(state_->write(note));
  }
  drop_ = note;
  return had;
}

Result<bool> Writer::refuses_traces() {
  HF_TRY(settle(false));
  return drop_.full && !has_room_again(dir_);
}

Result<std::uint64_t> Writer::newest_segment() {
  if (live_) return live_->ref.first_seq;
  const Listing listing = HF_TRY(list_journal(dir_));
  return listing.segments.empty() ? 0 : listing.segments.back().first_seq;
}

}  // namespace holdfast::journal
