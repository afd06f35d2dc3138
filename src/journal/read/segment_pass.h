// SPDX-License-Identifier: Apache-2.0
//
// read_records: one pass over the lines of a segment; every readable record goes to the tracker and
// to `on_record`, everything else to the tracker alone.
//
// on_record(const RecordView&, const Line&) -> Result<os::Visit>, called before the tracker sees
// the record. The answer is kStop where it said so; the tracker has then seen that record.
#pragma once

#include "base/result.h"
#include "format/journal/journal_record.h"
#include "journal/read/line_reader.h"
#include "journal/store/segment_facts.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

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
    const Result<os::Visit> visit = on_record(*record, line);
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
