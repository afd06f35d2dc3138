// SPDX-License-Identifier: Apache-2.0
//
// Records of a fixed size: little-endian integers, ids and texts at places that are known when
// compiled. No allocation; each place is checked against the size of the record by the compiler, so
// neither side can leave it.
//
//   FixedWriter<64> out(buffer);    // 64 bytes, now zeros
//   out.number<8>(seq);             // at offset 8
//   out.text<16, 20>(name);         // u16 length, then up to 20 bytes: 16 to 38
//   out.seal();                     // CRC-32C of the first 60 bytes into the last four
//
// FixedReader is its mirror. A value that cannot be (text<>, choice<>) makes ok() false for good,
// so that a decoder reads straight through and asks once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/id128.h"
#include "format/text/crc32c.h"

namespace holdfast {

static_assert(std::endian::native == std::endian::little, "integers are copied as they are");

inline constexpr std::size_t kSealBytes = sizeof(std::uint32_t);

// The front of `text`: all of it or at most `most` bytes, not cut within a character of UTF-8.
// Where it is not UTF-8 it is cut at `most`.
constexpr std::string_view cut_text(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [&](std::size_t at) { return (text[at] & 0xc0) == 0x80; };
  std::size_t end = most;
  while (end > 0 && most - end < 4 && continues(end)) --end;
  const bool is_character = !continues(end) && most - end < 4;
  return text.substr(0, is_character ? end : most);
}

template <std::size_t kBytes>
class FixedWriter {
 public:
  explicit FixedWriter(char* out) : out_(out) { std::memset(out, 0, kBytes); }

  template <std::size_t kAt, std::integral T>
  void number(T value) {
    static_assert(kAt + sizeof value + kSealBytes <= kBytes);
    std::memcpy(out_ + kAt, &value, sizeof value);
  }
  template <std::size_t kAt, typename Enum>
    requires std::is_enum_v<Enum>
  void choice(Enum value) {
    number<kAt>(std::to_underlying(value));
  }
  template <std::size_t kAt>
  void id(const Id128& value) {
    static_assert(kAt + sizeof value.bytes + kSealBytes <= kBytes);
    std::memcpy(out_ + kAt, value.bytes.data(), sizeof value.bytes);
  }
  template <std::size_t kAt, std::size_t kMost>
  void text(std::string_view value) {
    static_assert(kAt + 2 + kMost + kSealBytes <= kBytes && kMost <= 0xffff);
    const std::string_view cut = cut_text(value, kMost);
    number<kAt>(static_cast<std::uint16_t>(cut.size()));
    std::copy(cut.begin(), cut.end(), out_ + kAt + 2);
  }
  void seal() {
    const std::uint32_t crc = crc32c({out_, kBytes - kSealBytes});
    std::memcpy(out_ + kBytes - kSealBytes, &crc, sizeof crc);
  }

 private:
  char* out_;
};

// A view of exactly kBytes bytes. Where there are fewer, what is missing is zeros; where there are
// more, they are not looked at. Not copied or moved: it may point into itself.
template <std::size_t kBytes>
class FixedReader {
 public:
  explicit FixedReader(std::string_view bytes) : in_(bytes.data()) {
    if (bytes.size() >= kBytes) return;
    std::copy(bytes.begin(), bytes.end(), padded_.begin());
    std::fill(padded_.begin() + static_cast<std::ptrdiff_t>(bytes.size()), padded_.end(), '\0');
    in_ = padded_.data();
  }
  FixedReader(const FixedReader&) = delete;
  FixedReader& operator=(const FixedReader&) = delete;
  ~FixedReader() = default;

  template <std::integral T, std::size_t kAt>
  [[nodiscard]] T number() const {
    static_assert(kAt + sizeof(T) <= kBytes);
    T value = 0;
    std::memcpy(&value, in_ + kAt, sizeof value);
    return value;
  }
  template <std::size_t kAt>
  void number(std::integral auto& value) const {
    value = number<std::remove_reference_t<decltype(value)>, kAt>();
  }
  // One of the values up to and including `last`.
  template <std::size_t kAt, typename Enum>
    requires std::is_enum_v<Enum>
  void choice(Enum& value, Enum last) {
    const auto found = number<std::underlying_type_t<Enum>, kAt>();
    require(found <= std::to_underlying(last));
    value = static_cast<Enum>(std::min(found, std::to_underlying(last)));
  }
  template <std::size_t kAt>
  void id(Id128& value) const {
    static_assert(kAt + sizeof value.bytes <= kBytes);
    std::memcpy(value.bytes.data(), in_ + kAt, sizeof value.bytes);
  }
  // Valid as long as this reader and the bytes that it was made of.
  template <std::size_t kAt, std::size_t kMost>
  [[nodiscard]] std::string_view text() {
    static_assert(kAt + 2 + kMost <= kBytes);
    const std::size_t size = number<std::uint16_t, kAt>();
    require(size <= kMost);
    return {in_ + kAt + 2, std::min(size, kMost)};
  }

  void require(bool condition) { ok_ = ok_ && condition; }
  [[nodiscard]] bool ok() const { return ok_; }

  [[nodiscard]] bool is_sealed() const {
    return number<std::uint32_t, kBytes - kSealBytes>() == crc32c({in_, kBytes - kSealBytes});
  }
  [[nodiscard]] bool is_all_zeros() const {
    return std::all_of(in_, in_ + kBytes, [](char c) { return c == '\0'; });
  }

 private:
  const char* in_;
  std::array<char, kBytes> padded_;  // only where in_ points to it
  bool ok_ = true;
};

}  // namespace holdfast
