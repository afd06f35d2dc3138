// SPDX-License-Identifier: Apache-2.0
#include "journal/read/reverse_lines.h"

#include <algorithm>
#include <string_view>

#include "format/journal/journal_record.h"

namespace holdfast::journal {
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
                 .cause = "segment-removed",
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
