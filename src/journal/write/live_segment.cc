// SPDX-License-Identifier: Apache-2.0
#include "journal/write/live_segment.h"

#include <algorithm>
#include <optional>

#include "base/cause.h"
#include "format/journal/journal_record.h"
#include "journal/read/segment_source.h"
#include "journal/store/chain.h"

namespace holdfast::journal {

void Batch::add(const Entry& entry) {
  const std::size_t begin = bytes_.size();
  encode_record_body({.seq = end_.seq + 1,
                      .wall_us = entry.stamp.wall_us,
                      .boot_us = entry.stamp.boot_us,
                      .boot = entry.stamp.boot,
                      .writer = entry.stamp.writer,
                      .event_class = entry.event_class,
                      .type = entry.type,
                      .data = entry.data},
                     bytes_);
  end_.hash = chain_hash(journal_, end_.hash, std::string_view(bytes_).substr(begin));
  ++end_.seq;
  encode_record_tail(end_.hash, bytes_);
}

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
                 .cause = cause::kNewerVersion,
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

namespace {

Error tail_corrupt(const os::File& segment, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kCorrupt,
          .op = "append to the journal",
          .subject = segment.path(),
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was changed, see `holdfast journal repair`"};
}

Error newer(const os::File& segment) {
  return {.code = ErrorCode::kCannotTell,
          .op = "append to the journal",
          .subject = segment.path(),
          .cause = cause::kNewerVersion,
          .detail = "a later holdfast wrote its last record; nothing was changed"};
}

Error no_good_end(const os::File& segment) {
  return tail_corrupt(segment, "no-good-end",
                      "no good record in its last " + std::to_string(kMaxTornBytes) + " bytes");
}

// The bytes at the end of the segment, more of them as the search goes back.
class EndOfFile {
 public:
  EndOfFile(const os::File& file, std::uint64_t size) : file_(file), begin_(size), size_(size) {}

  // False: that was the beginning of the file.
  Result<bool> reach_back() {
    if (begin_ == 0) return false;
    const std::uint64_t more =
        std::min<std::uint64_t>(begin_, std::max<std::uint64_t>(bytes_.size(), kFirstRead));
    std::string chunk = HF_TRY(file_.read_at(begin_ - more, static_cast<std::size_t>(more)));
    if (chunk.size() != more) {
      return fail({.code = ErrorCode::kCannotTell,
                   .op = "read the end of the journal",
                   .subject = file_.path(),
                   .cause = "shrinking",
                   .detail = "it became shorter while it was read"});
    }
    begin_ -= more;
    bytes_.insert(0, chunk);
    return true;
  }

  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  // The line that ends with the newline at file offset `newline`; nothing where its beginning was
  // not read yet.
  [[nodiscard]] std::optional<std::string_view> line_at(std::uint64_t newline) const {
    const std::string_view before = std::string_view(bytes_).substr(0, newline - begin_);
    const std::size_t previous = before.rfind('\n');
    if (previous != std::string_view::npos) return before.substr(previous + 1);
    if (begin_ == 0) return before;
    return std::nullopt;
  }
  // The last newline before file offset `end`, as far as was read.
  [[nodiscard]] std::optional<std::uint64_t> newline_before(std::uint64_t end) const {
    if (end <= begin_) return std::nullopt;
    const std::size_t at = std::string_view(bytes_).substr(0, end - begin_).rfind('\n');
    if (at == std::string_view::npos) return std::nullopt;
    return begin_ + at;
  }

 private:
  static constexpr std::uint64_t kFirstRead = 4096;

  const os::File& file_;
  std::uint64_t begin_;
  std::uint64_t size_;
  std::string bytes_;
};

struct FoundLine {
  std::uint64_t newline;
  std::string_view line;
};

// The line before `end`; nothing at the beginning of the file. Too far back is kCorrupt.
Result<std::optional<FoundLine>> line_before(EndOfFile& eof, std::uint64_t end,
                                             const os::File& segment) {
  for (;;) {
    if (const auto newline = eof.newline_before(end)) {
      if (const auto line = eof.line_at(*newline)) return FoundLine{*newline, *line};
    }
    if (eof.size() - eof.begin() > kMaxTornBytes + 2 * kMaxRecordBytes) {
      return fail(no_good_end(segment));
    }
    if (!HF_TRY(eof.reach_back())) return std::nullopt;
  }
}

}  // namespace

Result<Tail> examine_tail(const os::File& segment, const Id128& journal) {
  const os::FileInfo info = HF_TRY(segment.info());
  EndOfFile eof(segment, info.size);
  std::uint64_t end = info.size;
  for (;;) {
    const auto found = HF_TRY(line_before(eof, end, segment));
    if (!found) {
      return fail(tail_corrupt(segment, "no-good-end", "it holds no good record at all"));
    }
    if (info.size - found->newline > kMaxTornBytes) return fail(no_good_end(segment));
    const auto record = decode_record(found->line);
    if (!record) {
      if (record.error() == LineFault::kNewerVersion) return fail(newer(segment));
      end = found->newline;
      continue;
    }
    Tail tail{.good_bytes = found->newline + 1,
              .torn_bytes = info.size - found->newline - 1,
              .seq = record->fields.seq,
              .hash = record->hash,
              .type = std::string(record->fields.type)};
    const std::string hashed(record->hashed);
    const auto before = HF_TRY(line_before(eof, found->newline, segment));
    if (before) {
      const auto previous = decode_record(before->line);
      if (!previous || chain_hash(journal, previous->hash, hashed) != tail.hash) {
        return fail(tail_corrupt(segment, "chain-broken",
                                 "its last record (seq " + std::to_string(tail.seq) +
                                     ") does not continue the one before it"));
      }
    }
    return tail;
  }
}

}  // namespace holdfast::journal
