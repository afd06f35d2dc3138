// SPDX-License-Identifier: Apache-2.0
//
// ByteSource: the first `size` bytes of a file, one after the other, in flat memory. A read that
// fails looks like the end; ask error() before believing in it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "os/file/file.h"

namespace holdfast::file {

class ByteSource {
 public:
  ByteSource(const os::File& file, std::uint64_t size) : file_(file), left_(size) {}

  // The next byte stays the next one until advance().
  [[nodiscard]] bool at_end() { return at_ == filled_ && !fill(); }
  [[nodiscard]] char peek() const { return buffer_[at_]; }  // not at the end
  void advance() { ++at_; }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  bool fill() {
    const auto wanted = std::min<std::uint64_t>(left_, buffer_.size());
    if (wanted == 0) return false;
    auto got = file_.read_into(offset_, std::span(buffer_).first(wanted));
    at_ = 0;
    filled_ = got ? *got : 0;
    left_ = filled_ < wanted ? 0 : left_ - filled_;
    offset_ += filled_;
    if (!got) error_ = std::move(got).error();
    return filled_ != 0;
  }

  const os::File& file_;
  std::uint64_t left_;
  std::uint64_t offset_ = 0;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::optional<Error> error_;
  std::array<char, 65536> buffer_;
};

}  // namespace holdfast::file
