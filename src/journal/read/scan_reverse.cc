// SPDX-License-Identifier: Apache-2.0
//
// What is met on the way back is noted shortly (runs of everyday records as one) and given to the
// tracker from front to back when the segment is done, so that both directions judge alike.
#include "journal/read/scan.h"

#include <algorithm>

#include "journal/read/line_reader.h"
#include "journal/store/segment_facts.h"
#include "journal/write/continuity.h"

namespace holdfast::journal {
namespace {

// More than that happens only in a file of rubbish; it is then judged by a pass from the front.
constexpr std::size_t kMaxMet = 50'000;

struct Met {
  enum class What : std::uint8_t { kRun, kRecord, kBad, kUnfinished };

  What what = What::kRun;
  Line line;                // the first, without its text
  std::uint64_t bytes = 0;  // of all lines
  SeqRange seqs{};          // of a run
  Digest head{};            // of its last record
  LineFault fault{};        // of bad lines
  std::string text{};       // of a record of the journal's own
};

class MetList {
 public:
  void record(const RecordView& record, const Line& line) {
    if (record.fields.type.starts_with("journal.")) {
      push({.what = Met::What::kRecord,
            .line = place(line),
            .bytes = line.bytes,
            .text = std::string(line.text)});
    } else if (Met* last = touching(Met::What::kRun, line);
               last != nullptr && last->seqs.first == record.fields.seq + 1) {
      last->seqs.first = record.fields.seq;
      extend(*last, line);
    } else {
      push({.what = Met::What::kRun,
            .line = place(line),
            .bytes = line.bytes,
            .seqs = {.first = record.fields.seq, .last = record.fields.seq},
            .head = record.hash});
    }
  }
  void bad(LineFault fault, const Line& line) {
    Met* last = touching(Met::What::kBad, line);
    // The first line of a segment is judged by itself.
    if (last != nullptr && last->fault == fault && line.offset != 0) {
      extend(*last, line);
    } else {
      push({.what = Met::What::kBad, .line = place(line), .bytes = line.bytes, .fault = fault});
    }
  }
  void unfinished(const Line& line) {
    push({.what = Met::What::kUnfinished, .line = place(line), .bytes = line.bytes});
  }

  [[nodiscard]] bool overflowed() const { return overflowed_; }

  Result<> replay(SegmentTracker& tracker) const {
    for (auto met = all_.rbegin(); met != all_.rend(); ++met) {
      Line line = met->line;
      switch (met->what) {
        case Met::What::kRun:
          HF_TRY(tracker.run(met->seqs, line, met->bytes, met->head));
          break;
        case Met::What::kRecord:
          line.text = met->text;
          HF_TRY(tracker.record(decode_record(line.text).value(), line));
          break;
        case Met::What::kBad:
          line.bytes = met->bytes;
          HF_TRY(tracker.bad_line(met->fault, line));
          break;
        case Met::What::kUnfinished:
          tracker.unfinished(line);
          break;
      }
    }
    return {};
  }

 private:
  static Line place(const Line& line) {
    return {.text = {}, .offset = line.offset, .bytes = line.bytes, .kind = line.kind};
  }
  static void extend(Met& met, const Line& line) {
    met.line = place(line);
    met.bytes += line.bytes;
  }
  Met* touching(Met::What what, const Line& line) {
    if (all_.empty() || all_.back().what != what) return nullptr;
    return all_.back().line.offset == line.offset + line.bytes ? &all_.back() : nullptr;
  }
  void push(Met met) {
    overflowed_ = overflowed_ || all_.size() == kMaxMet;
    if (overflowed_) {
      all_.clear();
    } else {
      all_.push_back(std::move(met));
    }
  }

  std::vector<Met> all_;
  bool overflowed_ = false;
};

class ReverseScan {
 public:
  ReverseScan(const Snapshot& snapshot, const ScanRequest& request, const RecordVisitor& visit,
              const DamageVisitor& on_damage)
      : snapshot_(snapshot), request_(request), visit_(visit), on_damage_(on_damage) {}

  Result<ScanResult> run() {
    const auto segments = snapshot_.segments();
    const std::size_t first = segment_with(snapshot_, request_.from_seq);
    std::size_t i = segments.size();
    while (i > first && !result_.stopped) HF_TRY(read_segment(segments[--i]));
    std::ranges::reverse(facts_);
    result_.damaged = judge(facts_, i == 0 ? OldestFirst::kYes : OldestFirst::kNo);
    return std::move(result_);
  }

 private:
  Result<> read_segment(const SegmentFile& file) {
    MetList met;
    std::uint64_t end = 0;
    bool at_front = false;
    ReverseLineReader lines = HF_TRY(ReverseLineReader::open(snapshot_.dir(), file));
    Line line;
    while (!result_.stopped && HF_TRY(lines.next(line))) {
      at_front = line.offset == 0;
      const bool cut = line.kind == Line::Kind::kUnfinished && lines.fault();
      end = std::max(end, cut ? line.offset : line.offset + line.bytes);
      if (cut) continue;  // where unpacking ended, not where a record did
      if (line.kind != Line::Kind::kWhole) {
        if (line.kind == Line::Kind::kTooLong) met.bad(LineFault::kTooLong, line);
        if (line.kind == Line::Kind::kUnfinished) met.unfinished(line);
        continue;
      }
      const auto record = decode_record(line.text);
      if (!record && record.error() == LineFault::kNewerVersion) {
        return fail(newer_record(file.ref.first_seq, line.offset));
      }
      if (!record) {
        met.bad(record.error(), line);
        continue;
      }
      met.record(*record, line);
      HF_TRY(offer(file, *record, line.text, line.offset));
    }
    const bool whole = at_front || !result_.stopped;
    if (met.overflowed()) return judge_forwards(file);
    SegmentTracker tracker = whole ? SegmentTracker(file, snapshot_.journal_id())
                                   : SegmentTracker(file, snapshot_.journal_id(), 0);
    HF_TRY(met.replay(tracker));
    if (const auto fault = lines.fault()) tracker.unreadable(end, *fault);
    keep(tracker.finish(end));
    return {};
  }

  Result<> judge_forwards(const SegmentFile& file) {
    SegmentTracker tracker(file, snapshot_.journal_id());
    LineReader lines = HF_TRY(LineReader::open(snapshot_.dir(), file));
    HF_TRY(read_records(lines, tracker, [](const RecordView&, const Line&) -> Result<os::Visit> {
      return os::Visit::kContinue;
    }));
    keep(tracker.finish(lines.offset()));
    return {};
  }

  void keep(SegmentFacts facts) {
    if (on_damage_) {
      for (const Damage& damage : facts.damaged) on_damage_(damage);
    }
    result_.unfinished_bytes += facts.unfinished_bytes;
    facts_.push_back(std::move(facts));
  }

  Result<> offer(const SegmentFile& file, const RecordView& record, std::string_view line,
                 std::uint64_t offset) {
    if (record.fields.seq < request_.from_seq ||
        (request_.since_us && record.fields.wall_us < *request_.since_us) ||
        (request_.until_us && record.fields.wall_us >= *request_.until_us)) {
      return {};
    }
    ++result_.visited;
    const os::Visit visit = HF_TRY(
        visit_({.record = record, .line = line, .segment = file.ref.first_seq, .offset = offset}));
    result_.stopped = visit == os::Visit::kStop;
    return {};
  }

  const Snapshot& snapshot_;
  const ScanRequest& request_;
  const RecordVisitor& visit_;
  const DamageVisitor& on_damage_;
  std::vector<SegmentFacts> facts_;
  ScanResult result_;
};

}  // namespace

Result<ScanResult> scan_reverse(const Snapshot& snapshot, const ScanRequest& request,
                                const RecordVisitor& visit, const DamageVisitor& on_damage) {
  return ReverseScan(snapshot, request, visit, on_damage).run();
}

}  // namespace holdfast::journal
