// SPDX-License-Identifier: Apache-2.0
#include "journal/store/segment_facts.h"

#include "base/cause.h"

namespace holdfast::journal {
namespace {

bool may_explain(std::string_view type) {
  return type == JournalRepaired::kType || type == JournalRetention::kType ||
         type == JournalSyncError::kType;
}

std::string says_of(LineFault fault) {
  switch (fault) {
    case LineFault::kChecksum:
      return "its checksum is wrong";
    case LineFault::kTooLong:
      return "a line longer than any record";
    default:
      return "not a record";
  }
}

}  // namespace

Error newer_record(std::uint64_t segment, std::uint64_t offset) {
  return {.code = ErrorCode::kCannotTell,
          .op = "read the journal",
          .subject = segment_name({.first_seq = segment}).str(),
          .cause = cause::kNewerVersion,
          .detail = "at offset " + std::to_string(offset) +
                    " stands a record of a later holdfast; update this one"};
}

SegmentTracker::SegmentTracker(const SegmentFile& file, const std::optional<Id128>& journal)
    : facts_{.file = file},
      journal_(journal),
      expected_(file.ref.first_seq),
      attentive_(true),
      at_header_(true) {}

SegmentTracker::SegmentTracker(const SegmentFile& file, const std::optional<Id128>& journal,
                               std::uint64_t next_seq, bool sealed)
    : facts_{.file = file,
             .last_seq = next_seq == 0 ? 0 : next_seq - 1,
             .sealed = sealed,
             .from_start = false},
      journal_(journal),
      expected_(next_seq),
      attentive_(true),
      ends_damaged_(next_seq == 0) {}

SegmentTracker::SegmentTracker(SegmentFacts prefix, const std::optional<Id128>& journal)
    : facts_(std::move(prefix)),
      journal_(journal),
      expected_(facts_.last_seq + 1),
      attentive_(facts_.sealed) {}

void SegmentTracker::damage(std::string_view kind, const Line& line, std::string says) {
  log_.add({.segment = facts_.file.ref.first_seq,
            .offset = line.offset,
            .bytes = line.bytes,
            .kind = std::string(kind),
            .says = std::move(says)});
}

Result<> SegmentTracker::look_closely(const RecordView& record, const Line& line) {
  if (at_header_) {
    HF_TRY(first_record(record, line));
  } else {
    if (facts_.sealed) damage(damage_kind::kSeal, line, "a record behind the seal of its segment");
    if (record.fields.type == SegmentOpened::kType) {
      damage(damage_kind::kHeader, line, "a header in the middle of a segment");
    }
    check_number(record, line);
  }
  if (record.fields.type == SegmentSealed::kType) facts_.sealed = true;
  if (may_explain(record.fields.type) && facts_.notes.size() < kMaxNotes) {
    facts_.notes.push_back({.seq = record.fields.seq,
                            .type = std::string(record.fields.type),
                            .data = std::string(record.fields.data)});
  }
  ++facts_.records;
  if (facts_.first_seq == 0) facts_.first_seq = record.fields.seq;
  facts_.last_seq = record.fields.seq;
  expected_ = record.fields.seq + 1;
  attentive_ = facts_.sealed;
  behind_damage_ = ends_damaged_ = false;
  return {};
}

Result<> SegmentTracker::run(SeqRange seqs, const Line& first, std::uint64_t bytes,
                             const Digest& head) {
  RecordView everyday;
  everyday.fields.seq = seqs.first;
  everyday.fields.type = "x";
  everyday.hash = head;
  HF_TRY(record(everyday, first));
  facts_.records += seqs.last - seqs.first;
  facts_.last_seq = seqs.last;
  expected_ = seqs.last + 1;
  if (facts_.sealed && bytes > first.bytes) {
    damage(damage_kind::kSeal, {.offset = first.offset + first.bytes, .bytes = bytes - first.bytes},
           "a record behind the seal of its segment");
  }
  return {};
}

Result<> SegmentTracker::first_record(const RecordView& record, const Line& line) {
  at_header_ = false;
  if (record.fields.type != SegmentOpened::kType) {
    damage(damage_kind::kHeader, line, "the first record of the segment is no journal.opened");
    return {};
  }
  Result<SegmentOpened> opened =
      decode_segment_opened(record.fields.data, segment_name(facts_.file.ref).str());
  if (!opened && opened.error().code == ErrorCode::kCannotTell) {
    return fail(std::move(opened).error());
  }
  if (!opened) {
    damage(damage_kind::kHeader, line, "the header cannot be read: " + opened.error().detail);
    return {};
  }
  if (journal_ && opened->journal != *journal_) {
    damage(damage_kind::kHeader, line, "the segment belongs to another journal");
  } else if (record.fields.seq != facts_.file.ref.first_seq) {
    damage(damage_kind::kHeader, line,
           "the segment begins with record " + std::to_string(record.fields.seq) +
               ", which is not what its name says");
  }
  facts_.opened = *std::move(opened);
  return {};
}

void SegmentTracker::check_number(const RecordView& record, const Line& line) {
  const std::uint64_t seq = record.fields.seq;
  if (expected_ == 0 || seq == expected_) return;
  if (seq < expected_) {
    damage(damage_kind::kChain, line,
           "record " + std::to_string(seq) + " stands behind record " +
               std::to_string(expected_ - 1) + ": the journal forks here");
    return;
  }
  const SeqRange lost{.first = expected_, .last = seq - 1};
  if (behind_damage_) {
    log_.last_lost(lost);
    return;
  }
  log_.add({.segment = facts_.file.ref.first_seq,
            .offset = line.offset,
            .kind = std::string(damage_kind::kGap),
            .says = are_missing(lost),
            .lost = lost});
}

Result<> SegmentTracker::bad_line(LineFault fault, const Line& line) {
  if (fault == LineFault::kNewerVersion) {
    return fail(newer_record(facts_.file.ref.first_seq, line.offset));
  }
  if (at_header_) {
    damage(damage_kind::kHeader, line, "the header cannot be read: " + says_of(fault));
  } else {
    damage(to_text(fault), line, says_of(fault));
  }
  at_header_ = false;
  attentive_ = behind_damage_ = ends_damaged_ = true;
  return {};
}

void SegmentTracker::unfinished(const Line& line) {
  const bool a_writer_may_be_here = facts_.file.live && !facts_.sealed && !at_header_;
  if (at_header_) {
    damage(damage_kind::kHeader, line, "the header is not finished");
  } else if (!a_writer_may_be_here) {
    damage(damage_kind::kUnfinished, line, "the segment ends in the middle of a record");
  } else if (line.bytes > kMaxRecordBytes) {
    damage(damage_kind::kTooLong, line, "an end without a newline, longer than any record");
  } else {
    facts_.unfinished_bytes = line.bytes;
  }
  at_header_ = false;
  behind_damage_ = true;
}

void SegmentTracker::unreadable(std::uint64_t offset, const Error& fault) {
  const bool no_file = fault.cause == kNoFileCause;
  log_.add({.segment = facts_.file.ref.first_seq,
            .offset = offset,
            .kind = std::string(no_file ? damage_kind::kHeader : damage_kind::kCompressed),
            .says = no_file ? fault.detail
                            : "from here on the segment cannot be unpacked: " + fault.detail});
  at_header_ = false;
  behind_damage_ = ends_damaged_ = true;
}

SegmentFacts SegmentTracker::finish(std::uint64_t text_bytes, bool complete) {
  facts_.text_bytes = text_bytes;
  facts_.complete = complete;
  if (complete && facts_.from_start && text_bytes == 0 && log_.empty()) {
    log_.add({.segment = facts_.file.ref.first_seq,
              .kind = std::string(damage_kind::kZeroLength),
              .says = "the segment is empty; one is never made without its header"});
  } else if (complete && !facts_.file.live && !facts_.sealed && !ends_damaged_) {
    log_.add({.segment = facts_.file.ref.first_seq,
              .offset = text_bytes,
              .kind = std::string(damage_kind::kNoSeal),
              .says = "the segment ends without a seal"});
  }
  facts_.damaged = log_.take();
  return std::move(facts_);
}

}  // namespace holdfast::journal
