// SPDX-License-Identifier: Apache-2.0
//
// Hostile interleaving: a directory is not listed in one step, and a writer may seal segment A and
// make B and C meanwhile, so that a listing has A and C. Names are therefore listed until two
// listings agree; under a writer that makes a new segment every few microseconds the last one is
// taken. Lengths are taken behind the listing: a writer seals a segment before it makes the next,
// so one that has a successor in the list has its seal within its length.
//
// And retention: it says in the newest segment what it will remove, and removes it. Where a listed
// segment is gone when its length is asked for, that word may stand in a segment that is newer than
// the list, and what is missing would look like damage. Then everything is listed again.
#include "journal/read/snapshot.h"

#include <algorithm>

#include "base/cause.h"
#include "format/journal/journal_payload.h"
#include "format/journal/journal_record.h"
#include "format/json/format_version.h"
#include "journal/read/line_reader.h"
#include "journal/write/state_file.h"
#include "os/machine/machine_id.h"

namespace holdfast::journal {
namespace {

// Each takes some 50 us, and a segment lives for milliseconds at the least.
constexpr int kListings = 64;

Result<std::vector<SegmentRef>> settled_segments(const os::Dir& dir) {
  std::vector<SegmentRef> before = HF_TRY(list_journal(dir)).segments;
  for (int tries = 1; tries < kListings; ++tries) {
    std::vector<SegmentRef> now = HF_TRY(list_journal(dir)).segments;
    if (now == before) break;
    before = std::move(now);
  }
  return before;
}

// Those of `refs` that are still there.
Result<std::vector<SegmentFile>> with_lengths(const os::Dir& dir,
                                              const std::vector<SegmentRef>& refs) {
  std::vector<SegmentFile> segments;
  segments.reserve(refs.size());
  for (SegmentRef ref : refs) {
    auto info = HF_TRY(dir.info(segment_name(ref)));
    if (!info && !ref.compressed) {  // compressed since it was listed?
      ref.compressed = true;
      info = HF_TRY(dir.info(segment_name(ref)));
    }
    if (!info) continue;  // removed by retention since it was listed
    const bool a_file = info->type == os::FileType::kRegular;  // else whoever reads it reports it
    segments.push_back({.ref = ref, .size = a_file ? info->size : 0});
  }
  return segments;
}

Result<std::optional<Id128>> id_in_header(const os::Dir& dir, const SegmentFile& segment) {
  Result<LineReader> lines = LineReader::open(dir, segment);
  if (!lines) {
    if (lines.error().cause == cause::kSegmentRemoved) return std::nullopt;
    return fail(std::move(lines).error());
  }
  Line line;
  const Result<bool> found = lines->next(line);
  if (!found && found.error().code == ErrorCode::kCorrupt) return std::nullopt;
  if (!found) return fail(found.error());
  if (!*found || line.kind != Line::Kind::kWhole) return std::nullopt;
  const auto record = decode_record(line.text);
  const std::string subject = dir.path_of(segment_name(segment.ref));
  if (!record && record.error() == LineFault::kNewerVersion) {
    HF_TRY(check_format_version("journal", subject, kRecordVersion + 1, kRecordVersion));
  }
  if (!record || record->fields.type != SegmentOpened::kType) return std::nullopt;
  const Result<SegmentOpened> opened = decode_segment_opened(record->fields.data, subject);
  if (opened) return opened->journal;
  if (opened.error().code == ErrorCode::kCannotTell) return fail(opened.error());
  return std::nullopt;
}

// A note that cannot be had tells nothing: the segments are the truth.
std::optional<HeadNote> note_of_this_boot(const os::Dir& dir) {
  const auto state = StateFile::open_existing(dir);
  if (!state || !*state) return std::nullopt;
  const auto notes = (*state)->read();
  const auto boot = os::boot_id();
  if (!notes || !boot || !notes->head || notes->head->boot != *boot) return std::nullopt;
  return notes->head;
}

}  // namespace

Result<Snapshot> Snapshot::open(const os::Dir& dir) {
  const auto noted = note_of_this_boot(dir);
  std::vector<SegmentFile> segments;
  for (int tries = 0; tries < kListings; ++tries) {
    const std::vector<SegmentRef> refs = HF_TRY(settled_segments(dir));
    segments = HF_TRY(with_lengths(dir, refs));
    if (segments.size() == refs.size()) break;
  }
  if (!segments.empty()) segments.back().live = !segments.back().ref.compressed;
  Snapshot snapshot(dir, std::move(segments));
  snapshot.noted_ = noted;
  for (const SegmentFile& segment : snapshot.segments_) {
    snapshot.journal_id_ = HF_TRY(id_in_header(dir, segment));
    if (snapshot.journal_id_) break;
  }
  return snapshot;
}

std::size_t segment_with(const Snapshot& snapshot, std::uint64_t seq) {
  const auto segments = snapshot.segments();
  const auto behind = std::ranges::upper_bound(
      segments, seq, {}, [](const SegmentFile& file) { return file.ref.first_seq; });
  return behind == segments.begin() ? 0 : static_cast<std::size_t>(behind - segments.begin()) - 1;
}

std::uint64_t Snapshot::bytes() const {
  std::uint64_t sum = 0;
  for (const SegmentFile& segment : segments_) sum += segment.size;
  return sum;
}

}  // namespace holdfast::journal
