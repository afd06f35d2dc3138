// SPDX-License-Identifier: Apache-2.0
//
// ReverseLineReader: the lines of one segment from its end to its front, as LineReader reads them
// forwards: the same lines, offsets and kinds. 1 MiB at a time; a compressed segment 8 MiB at a
// time, each of which unpacks everything in front of it again. Errors: those of SegmentSource.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "journal/read/line_reader.h"
#include "journal/read/segment_source.h"

namespace holdfast::journal {

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
