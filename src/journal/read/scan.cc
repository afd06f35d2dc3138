// SPDX-License-Identifier: Apache-2.0
#include "journal/read/scan.h"

#include <algorithm>

#include "journal/read/line_reader.h"
#include "journal/store/segment_facts.h"
#include "journal/write/continuity.h"

namespace holdfast::journal {
namespace {

class Scan {
 public:
  Scan(const Snapshot& snapshot, const ScanRequest& request, const RecordVisitor& visit,
       const DamageVisitor& on_damage)
      : snapshot_(snapshot), request_(request), visit_(visit), on_damage_(on_damage) {}

  Result<ScanResult> run() {
    const std::size_t first =
        segment_with(snapshot_, request_.resume ? request_.resume->segment : request_.from_seq);
    for (std::size_t i = first; i < snapshot_.segments().size() && !result_.stopped; ++i) {
      HF_TRY(read_segment(snapshot_.segments()[i]));
    }
    result_.damaged = judge(facts_, first == 0 ? OldestFirst::kYes : OldestFirst::kNo);
    return std::move(result_);
  }

 private:
  Result<> read_segment(const SegmentFile& file) {
    const bool resumed = request_.resume && request_.resume->segment == file.ref.first_seq &&
                         request_.resume->offset != 0;
    SegmentTracker tracker =
        resumed ? SegmentTracker(file, snapshot_.journal_id(), request_.resume->next_seq,
                                 request_.resume->sealed)
                : SegmentTracker(file, snapshot_.journal_id());
    LineReader lines =
        HF_TRY(LineReader::open(snapshot_.dir(), file, resumed ? request_.resume->offset : 0));
    std::size_t told = 0;
    const auto tell = [&](std::span<const Damage> damaged) {
      for (; on_damage_ && told < damaged.size(); ++told) on_damage_(damaged[told]);
    };
    const os::Visit visit = HF_TRY(read_records(
        lines, tracker, [&](const RecordView& record, const Line& line) -> Result<os::Visit> {
          if (told != tracker.damaged().size()) [[unlikely]]
            tell(tracker.damaged());
          return offer(file, record, line);
        }));
    result_.stopped = visit == os::Visit::kStop;
    result_.end = {.segment = file.ref.first_seq,
                   .offset = lines.offset(),
                   .next_seq = tracker.ends_damaged() ? 0 : tracker.next_seq(),
                   .sealed = tracker.sealed()};
    facts_.push_back(tracker.finish(lines.offset(), !result_.stopped));
    tell(facts_.back().damaged);
    result_.unfinished_bytes = facts_.back().unfinished_bytes;
    result_.end.offset -= facts_.back().unfinished_bytes;
    return {};
  }

  Result<os::Visit> offer(const SegmentFile& file, const RecordView& record, const Line& line) {
    if (record.fields.seq < request_.from_seq ||
        (request_.since_us && record.fields.wall_us < *request_.since_us) ||
        (request_.until_us && record.fields.wall_us >= *request_.until_us)) {
      return os::Visit::kContinue;
    }
    ++result_.visited;
    return visit_({.record = record,
                   .line = line.text,
                   .segment = file.ref.first_seq,
                   .offset = line.offset});
  }

  const Snapshot& snapshot_;
  const ScanRequest& request_;
  const RecordVisitor& visit_;
  const DamageVisitor& on_damage_;
  std::vector<SegmentFacts> facts_;
  ScanResult result_;
};

}  // namespace

Result<ScanResult> scan(const Snapshot& snapshot, const ScanRequest& request,
                        const RecordVisitor& visit, const DamageVisitor& on_damage) {
  if (request.reverse) return scan_reverse(snapshot, request, visit, on_damage);
  return Scan(snapshot, request, visit, on_damage).run();
}

}  // namespace holdfast::journal
