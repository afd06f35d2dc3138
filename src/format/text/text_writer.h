// SPDX-License-Identifier: Apache-2.0
//
// TextWriter: writes the fixed spellings of journal lines into memory that the caller made large
// enough. No allocation and no check: it is on the path of every append. TextReader is its mirror.
//
// The widest a field can be: number 20 bytes, checksum 8, id 32, digest 43.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/digest.h"
#include "base/id128.h"

namespace holdfast {

class TextWriter {
 public:
  static constexpr std::size_t kNumberBytes = 20;

  explicit TextWriter(char* out) : at_(out) {}

  TextWriter& text(std::string_view value) {
    std::memcpy(at_, value.data(), value.size());
    at_ += value.size();
    return *this;
  }
  template <std::integral Integer>
  TextWriter& number(Integer value) {
    at_ = std::to_chars(at_, at_ + kNumberBytes, value).ptr;
    return *this;
  }
  TextWriter& flag(bool value) { return text(value ? "true" : "false"); }
  TextWriter& checksum(std::uint32_t crc) {
    for (int shift = 24; shift >= 0; shift -= 8) byte(static_cast<std::uint8_t>(crc >> shift));
    return *this;
  }
  TextWriter& id(const Id128& value) {
    for (const std::uint8_t each : value.bytes) byte(each);
    return *this;
  }
  TextWriter& digest(const Digest& value) {
    write_base64url(value, at_);
    at_ += kDigestBase64Chars;
    return *this;
  }

  [[nodiscard]] char* at() const { return at_; }

 private:
  static constexpr std::string_view kHexDigits = "0123456789abcdef";

  void byte(std::uint8_t value) {
    *at_++ = kHexDigits[value >> 4];
    *at_++ = kHexDigits[value & 0xf];
  }

  char* at_;
};

}  // namespace holdfast
