// SPDX-License-Identifier: Apache-2.0
#include "journal/write/header.h"

#include "format/journal/journal_record.h"
#include "journal/read/segment_source.h"

namespace holdfast::journal {
namespace {

// Without its newline; empty where there is no whole line. It is read for every append of a
// short-lived program, so a usual header costs one small read.
Result<std::string> first_line(const os::Dir& dir, const SegmentRef& ref) {
  const std::unique_ptr<SegmentSource> source =
      HF_TRY(open_segment(dir, {.ref = ref, .size = kMaxRecordBytes}));
  std::string bytes;
  for (const std::size_t size : {std::size_t{1024}, kMaxRecordBytes}) {
    bytes.resize(size);
    bytes.resize(HF_TRY(source->read_at(0, bytes)));
    const std::size_t newline = bytes.find('\n');
    if (newline != std::string::npos) return bytes.substr(0, newline);
  }
  return std::string();
}

}  // namespace

Result<SegmentOpened> read_header(const os::Dir& dir, const SegmentRef& ref) {
  const std::string path = dir.path_of(segment_name(ref));
  const std::string line = HF_TRY(first_line(dir, ref));
  const auto record = decode_record(line);
  if (!record && record.error() == LineFault::kNewerVersion) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "open the journal",
                 .subject = path,
                 .cause = "newer-version",
                 .detail = "a later holdfast wrote it; nothing was changed"});
  }
  if (!record || record->fields.type != SegmentOpened::kType ||
      record->fields.seq != ref.first_seq) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "open the journal",
                 .subject = path,
                 .cause = "bad-header",
                 .detail = std::string(line.empty() ? "it has no first line"
                                                    : "it does not begin with its own record") +
                           "; nothing was changed, see `holdfast journal repair`"});
  }
  return decode_segment_opened(record->fields.data, path);
}

}  // namespace holdfast::journal
