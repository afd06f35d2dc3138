// SPDX-License-Identifier: Apache-2.0
//
// LineReader: the lines of one segment, forwards, 1 MiB at a time; memory is flat whatever is in
// the file.
//
//   LineReader lines = HF_TRY(LineReader::open(snapshot, segment));
//   for (Line line; HF_TRY(lines.next(line));) …
//
// A line is whole, or too long (longer than any record; met once, and the reader goes on behind its
// newline), or unfinished (the last bytes have no newline). Longer than any record, its text is
// empty. Views die with the next call. Errors: those of SegmentSource.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/journal/journal_record.h"
#include "journal/read/segment_source.h"

namespace holdfast::journal {

struct Line {
  enum class Kind : std::uint8_t { kWhole, kTooLong, kUnfinished };

  std::string_view text{};   // without its newline
  std::uint64_t offset = 0;  // of its first byte
  std::uint64_t bytes = 0;   // in the file, newline included
  Kind kind = Kind::kWhole;
};

class LineReader {
 public:
  static constexpr std::uint64_t kToTheEnd = ~std::uint64_t{0};

  // From the line that starts at `from` to `end` (both line starts, or kToTheEnd).
  static Result<LineReader> open(const os::Dir& dir, const SegmentFile& segment,
                                 std::uint64_t from = 0, std::uint64_t end = kToTheEnd);

  // false: there are no more.
  Result<bool> next(Line& line) {
    const char* const start = buffer_.data() + at_;
    const auto* const newline =
        static_cast<const char*>(std::memchr(start, '\n', whole_end_ - at_));
    if (newline == nullptr) return next_slow(line);
    const auto length = static_cast<std::size_t>(newline - start);
    line = {.text = {start, length}, .offset = base_ + at_, .bytes = length + 1};
    at_ += length + 1;
    if (length >= kMaxRecordBytes) [[unlikely]] {
      line.text = {};
      line.kind = Line::Kind::kTooLong;
    }
    return true;
  }

  // Where the next line starts.
  [[nodiscard]] std::uint64_t offset() const { return base_ + at_; }

 private:
  LineReader(std::unique_ptr<SegmentSource> source, std::uint64_t from, std::uint64_t end);

  Result<bool> next_slow(Line& line);
  Result<bool> fill();
  Result<bool> skip_too_long(Line& line);

  std::unique_ptr<SegmentSource> source_;
  std::vector<char> buffer_;
  std::uint64_t base_;         // the offset of buffer_[0]
  std::uint64_t end_;          // read no further
  std::size_t at_ = 0;         // the next line
  std::size_t filled_ = 0;     // bytes in the buffer
  std::size_t whole_end_ = 0;  // behind the last newline in the buffer: whole lines up to here
  bool at_end_ = false;        // the text ends with the buffer
};

// ReverseLineReader: the lines of one segment from its end to its front, as LineReader reads them
// forwards: the same lines, offsets and kinds. 1 MiB at a time; a compressed segment 8 MiB at a
// time, each of which unpacks everything in front of it again. Errors: those of SegmentSource.
class ReverseLineReader {
 public:
  static Result<ReverseLineReader> open(const os::Dir& dir, const SegmentFile& segment);

  // false: there are no more.
  Result<bool> next(Line& line);

  // Why the segment could not be read beyond its last line here.
  [[nodiscard]] std::optional<Error> fault() const { return source_->fault(); }

 private:
  static constexpr std::size_t kNothingGiven = ~std::size_t{0};

  ReverseLineReader(std::unique_ptr<SegmentSource> source, std::uint64_t size, std::size_t chunk)
      : source_(std::move(source)), base_(size), chunk_(chunk) {}

  Result<> load_before();
  bool give(Line& line, std::size_t start, bool ended);

  std::unique_ptr<SegmentSource> source_;
  std::vector<char> buffer_;  // the text from base_ on, as far as it was not given out
  std::uint64_t base_;        // the offset of buffer_[0]
  std::size_t chunk_;
  std::uint64_t cut_ = 0;  // the end of a too long line that is no longer in the buffer
  std::size_t given_from_ = kNothingGiven;  // from here on the buffer holds the line given last
};

}  // namespace holdfast::journal
