// SPDX-License-Identifier: Apache-2.0
#include "helper/line_source.h"

#include <span>

namespace holdfast::helper {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;

}  // namespace

Result<std::optional<std::string_view>> LineSource::next() {
  std::size_t looked = 0;
  for (;;) {
    const std::string_view left(buffer_.data() + at_, filled_ - at_);
    const std::size_t newline = left.find('\n', looked);
    if (newline != std::string_view::npos || (at_end_ && !left.empty())) {
      const std::string_view line = left.substr(0, newline);
      at_ += newline == std::string_view::npos ? left.size() : newline + 1;
      ++lines_;
      return line;
    }
    if (at_end_) return std::nullopt;
    looked = left.size();
    HF_TRY(fill());
  }
}

// Behind what is left, which moves to the front.
Result<> LineSource::fill() {
  buffer_.erase(0, at_);
  filled_ -= at_;
  at_ = 0;
  if (filled_ > max_) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "read the events",
                 .subject = "line " + std::to_string(lines_ + 1),
                 .cause = "line-too-long",
                 .detail = "it has more than " + std::to_string(max_) + " bytes"});
  }
  buffer_.resize(filled_ + kChunk);
  const std::size_t got = HF_TRY(bytes_(std::span(buffer_).subspan(filled_)));
  at_end_ = got == 0;
  filled_ += got;
  return {};
}

}  // namespace holdfast::helper
