// SPDX-License-Identifier: Apache-2.0
//
// LineSource: the lines of a stream, one at a time; the last one may lack its newline. Memory is
// that of the longest line.
//
// Errors: kCorrupt (`line-too-long`) for a line of more than `max` bytes; those of the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "helper/sqlite_export.h"

namespace holdfast::helper {

class LineSource {
 public:
  LineSource(const ByteSource& bytes, std::size_t max) : bytes_(bytes), max_(max) {}

  // Without its newline; it dies with the next call. Nothing at the end.
  Result<std::optional<std::string_view>> next();

 private:
  Result<> fill();

  const ByteSource& bytes_;
  std::size_t max_;
  std::string buffer_;
  std::size_t at_ = 0;      // the next line
  std::size_t filled_ = 0;  // bytes in the buffer
  std::uint64_t lines_ = 0;
  bool at_end_ = false;
};

}  // namespace holdfast::helper
