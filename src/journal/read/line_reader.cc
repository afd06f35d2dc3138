// SPDX-License-Identifier: Apache-2.0
#include "journal/read/line_reader.h"

#include <algorithm>
#include <string_view>

#include "base/cause.h"
#include "format/journal/journal_record.h"

namespace holdfast::journal {
namespace {

constexpr std::size_t kLineReaderChunk = std::size_t{1024} * 1024;

}  // namespace

LineReader::LineReader(std::unique_ptr<SegmentSource> source, std::uint64_t from, std::uint64_t end)
    : source_(std::move(source)), base_(from), end_(end) {
  const std::uint64_t range = end == kToTheEnd ? kLineReaderChunk : end - std::min(end, from);
  buffer_.resize(std::min<std::uint64_t>(kLineReaderChunk, range + 1));
}

Result<LineReader> LineReader::open(const os::Dir& dir, const SegmentFile& segment,
                                    std::uint64_t from, std::uint64_t end) {
  return LineReader(HF_TRY(open_segment_to_read(dir, segment)), from, end);
}

// Moves what is left to the front and reads more behind it. false: there is no more.
Result<bool> LineReader::fill() {
  const std::size_t left = filled_ - at_;
  std::memmove(buffer_.data(), buffer_.data() + at_, left);
  base_ += at_;
  at_ = 0;
  filled_ = whole_end_ = left;
  if (at_end_) return false;
  const std::uint64_t offset = base_ + left;
  const std::uint64_t room =
      std::min<std::uint64_t>(buffer_.size() - left, end_ - std::min(end_, offset));
  const std::size_t got = HF_TRY(source_->read_at(offset, std::span(buffer_).subspan(left, room)));
  filled_ += got;
  at_end_ = got < room || offset + got >= end_;
  const std::string_view all(buffer_.data(), filled_);
  const std::size_t newline = all.rfind('\n');
  whole_end_ = newline == std::string_view::npos ? 0 : newline + 1;
  return got != 0;
}

Result<bool> LineReader::next_slow(Line& line) {
  for (;;) {
    if (at_ == whole_end_ && filled_ - at_ > kMaxRecordBytes) return skip_too_long(line);
    if (!HF_TRY(fill())) break;
    if (whole_end_ != 0) return next(line);
  }
  if (const auto fault = source_->fault()) return fail(*fault);
  if (filled_ == at_) return false;
  const std::size_t bytes = filled_ - at_;
  line = {.text = {buffer_.data() + at_, bytes <= kMaxRecordBytes ? bytes : 0},
          .offset = base_ + at_,
          .bytes = bytes,
          .kind = Line::Kind::kUnfinished};
  at_ = filled_;
  return true;
}

// A line whose newline is not in the buffer although a record's would be.
Result<bool> LineReader::skip_too_long(Line& line) {
  line = {.text = {}, .offset = base_ + at_, .bytes = 0, .kind = Line::Kind::kTooLong};
  for (;;) {
    at_ = filled_;  // none of it is a line's end
    if (!HF_TRY(fill())) {
      line.bytes = base_ - line.offset;
      line.kind = Line::Kind::kUnfinished;
      return true;
    }
    if (whole_end_ == 0) continue;
    at_ = std::string_view(buffer_.data(), whole_end_).find('\n') + 1;
    line.bytes = base_ + at_ - line.offset;
    return true;
  }
}

namespace {

constexpr std::size_t kMiB = std::size_t{1024} * 1024;

}  // namespace

Result<ReverseLineReader> ReverseLineReader::open(const os::Dir& dir, const SegmentFile& segment) {
  std::unique_ptr<SegmentSource> source = HF_TRY(open_segment_to_read(dir, segment));
  const std::uint64_t size = HF_TRY(source->size());
  return ReverseLineReader(std::move(source), size, segment.ref.compressed ? 8 * kMiB : kMiB);
}

// Puts the bytes in front of base_ before what is in the buffer.
Result<> ReverseLineReader::load_before() {
  const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_, base_));
  if (buffer_.size() >
      kMaxRecordBytes) {  // all one line, too long for a record: only its length counts
    cut_ += buffer_.size();
    buffer_.clear();
  }
  buffer_.insert(buffer_.begin(), more, '\0');
  const std::size_t got = HF_TRY(source_->read_at(base_ - more, std::span(buffer_).first(more)));
  if (got != more) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "read the segment backwards",
                 .cause = cause::kSegmentRemoved,
                 .detail = "it became shorter while it was being read"});
  }
  base_ -= more;
  return {};
}

Result<bool> ReverseLineReader::next(Line& line) {
  buffer_.resize(given_from_ == kNothingGiven ? buffer_.size() : given_from_);
  given_from_ = kNothingGiven;
  if (buffer_.empty() && base_ == 0) return false;
  if (buffer_.empty()) HF_TRY(load_before());
  // The newline that ends this line; only the last line of the text can be without.
  const bool ended = buffer_.back() == '\n';
  std::size_t search_to = buffer_.size() - (ended ? 1 : 0);
  for (;;) {
    const std::string_view before(buffer_.data(), search_to);
    const std::size_t newline = before.rfind('\n');
    if (newline != std::string_view::npos || base_ == 0) {
      const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
      return give(line, start, ended);
    }
    const std::size_t had = buffer_.size() + static_cast<std::size_t>(cut_);
    HF_TRY(load_before());
    search_to = buffer_.size() + static_cast<std::size_t>(cut_) - had;
  }
}

bool ReverseLineReader::give(Line& line, std::size_t start, bool ended) {
  const std::uint64_t bytes = buffer_.size() - start + cut_;
  line = {.text = {}, .offset = base_ + start, .bytes = bytes, .kind = Line::Kind::kWhole};
  if (bytes <= kMaxRecordBytes) {
    line.text = {buffer_.data() + start, static_cast<std::size_t>(bytes - (ended ? 1 : 0))};
  } else {
    line.kind = Line::Kind::kTooLong;
  }
  if (!ended) line.kind = Line::Kind::kUnfinished;
  cut_ = 0;
  given_from_ = start;
  return true;
}

}  // namespace holdfast::journal
