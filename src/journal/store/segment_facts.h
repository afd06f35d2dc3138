// SPDX-License-Identifier: Apache-2.0
//
// SegmentFacts: what one pass over a segment learned of its structure; SegmentTracker: the pass.
//
// A segment is judged here on its own (numbers, header, seal, lines that are no records); what
// only its neighbours can tell is in journal/write/continuity.h.
//
//   SegmentTracker tracker(file, journal_id);
//   read_records(lines, tracker, on_record);      // journal/store/segment_facts.h
//   SegmentFacts facts = tracker.finish(lines.offset());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/journal/journal_payload.h"
#include "format/journal/journal_record.h"
#include "journal/read/damage.h"
#include "journal/read/line_reader.h"
#include "journal/read/snapshot.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

// A record that may explain damage: journal.repaired, .retention, .sync_error.
struct Note {
  std::uint64_t seq = 0;
  std::string type;
  std::string data;

  bool operator==(const Note&) const = default;
};
inline constexpr std::size_t kMaxNotes = 4096;  // of one segment; more explain nothing

struct SegmentFacts {
  SegmentFile file;
  std::uint64_t records = 0;    // readable ones
  std::uint64_t first_seq = 0;  // 0 where there is none
  std::uint64_t last_seq = 0;
  Digest head{};                       // of the last record, as it stands there
  std::uint64_t text_bytes = 0;        // all of it
  std::uint64_t unfinished_bytes = 0;  // of the live segment
  std::optional<SegmentOpened> opened{};
  bool sealed = false;
  bool from_start = true;  // the pass began with the first line
  bool complete = true;    // the pass went to the end
  std::vector<Note> notes{};
  std::vector<Damage> damaged{};
};

class SegmentTracker {
 public:
  // `journal`: what the header must say, where it is known.
  SegmentTracker(const SegmentFile& file, const std::optional<Id128>& journal);
  // Goes on from a line start inside: the next number is `next_seq` (0: any, and of the line before
  // nothing is known); `sealed`: the seal stands before it.
  SegmentTracker(const SegmentFile& file, const std::optional<Id128>& journal,
                 std::uint64_t next_seq, bool sealed = false);
  // Goes on behind a part that an earlier pass found without damage.
  SegmentTracker(SegmentFacts prefix, const std::optional<Id128>& journal);

  // kCannotTell for the header of a later holdfast.
  Result<> record(const RecordView& record, const Line& line) {
    facts_.head = record.hash;
    if (record.fields.seq == expected_ && !attentive_ &&
        !record.fields.type.starts_with("journal.")) [[likely]] {
      ++facts_.records;
      facts_.last_seq = expected_++;
      return {};
    }
    return look_closely(record, line);
  }
  // Records of everyday types with these numbers, without a gap; `first` is the line of the first,
  // `bytes` are those of all.
  Result<> run(SeqRange seqs, const Line& first, std::uint64_t bytes, const Digest& head);
  // A line that is none, whole or too long; kCannotTell for a record of a later holdfast.
  Result<> bad_line(LineFault fault, const Line& line);
  void unfinished(const Line& line);
  // From `offset` on the source has a fault (SegmentSource::fault).
  void unreadable(std::uint64_t offset, const Error& fault);
  // Damage that somebody else found, at this record.
  void add(Damage damage) { log_.add(std::move(damage)); }

  [[nodiscard]] std::uint64_t next_seq() const { return expected_; }
  [[nodiscard]] bool sealed() const { return facts_.sealed; }
  // The last whole line was no record.
  [[nodiscard]] bool ends_damaged() const { return ends_damaged_; }
  [[nodiscard]] std::uint64_t records() const { return facts_.records; }
  // Whether the next record directly follows a readable one, without a gap: only then a hash can be
  // checked against the one before. Ask before record().
  [[nodiscard]] bool follows(std::uint64_t seq) const {
    return seq == expected_ && !behind_damage_;
  }
  [[nodiscard]] const std::vector<Damage>& damaged() const { return log_.all(); }

  // `text_bytes`: where the text ends. With `complete` false the end was not reached, and says
  // nothing.
  SegmentFacts finish(std::uint64_t text_bytes, bool complete = true);

 private:
  Result<> look_closely(const RecordView& record, const Line& line);
  Result<> first_record(const RecordView& record, const Line& line);
  void check_number(const RecordView& record, const Line& line);
  void damage(std::string_view kind, const Line& line, std::string says);

  SegmentFacts facts_;
  std::optional<Id128> journal_;
  std::uint64_t expected_ = 0;  // 0: any
  DamageLog log_;
  bool attentive_ = false;      // the next record is no everyday one
  bool behind_damage_ = false;  // the line before it was no record
  bool ends_damaged_ = false;   // the last whole line was no record: it may have been the seal
  bool at_header_ = false;      // the next line is the first
};

// The error for a record of a later holdfast.
Error newer_record(std::uint64_t segment, std::uint64_t offset);

// read_records: one pass over the lines of a segment; every readable record goes to the tracker and
// to `on_record`, everything else to the tracker alone.
//
// on_record(const RecordView&, const Line&) -> Result<os::Visit>, called before the tracker sees
// the record. The answer is kStop where it said so; the tracker has then seen that record.
template <typename OnRecord>
Result<os::Visit> read_records(LineReader& lines, SegmentTracker& tracker, OnRecord&& on_record) {
  for (Line line;;) {
    const Result<bool> found = lines.next(line);
    if (!found) {
      if (found.error().code != ErrorCode::kCorrupt) return fail(found.error());
      tracker.unreadable(lines.offset(), found.error());
      return os::Visit::kContinue;
    }
    if (!*found) return os::Visit::kContinue;
    if (line.kind != Line::Kind::kWhole) [[unlikely]] {
      if (line.kind == Line::Kind::kTooLong) HF_TRY(tracker.bad_line(LineFault::kTooLong, line));
      if (line.kind == Line::Kind::kUnfinished) tracker.unfinished(line);
      continue;
    }
    const std::expected<RecordView, LineFault> record = decode_record(line.text);
    if (!record) [[unlikely]] {
      HF_TRY(tracker.bad_line(record.error(), line));
      continue;
    }
    Result<os::Visit> visit = on_record(*record, line);
    if (!visit) [[unlikely]]
      return visit;
    if (const Result<> seen = tracker.record(*record, line); !seen) [[unlikely]] {
      return fail(seen.error());
    }
    if (*visit == os::Visit::kStop) [[unlikely]]
      return os::Visit::kStop;
  }
}

}  // namespace holdfast::journal
