// SPDX-License-Identifier: Apache-2.0
//
// TextReader: reads what TextWriter writes, exactly: each call consumes one piece in its one
// spelling (numbers without '+', leading zeros or "-0", and within their type; hexadecimal in lower
// case).
//
// The first piece that is not there makes the reader fail for good: from then on it stands at the
// end and gives empty values, so that a decoder reads straight through and asks ok() once. It never
// reads past the end.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/digest.h"
#include "base/id128.h"

namespace holdfast {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  // An array and not a view: its length is known when compiled, and the comparison costs no call.
  template <std::size_t N>
  void literal(const char (&expected)[N]) {
    if (!accept(expected)) fail();
  }
  // The same where other pieces may stand instead: it says whether it was there, and does not fail.
  template <std::size_t N>
  bool accept(const char (&expected)[N]) {
    if (left() < N - 1 || !same<N - 1>(at_, expected)) return false;
    at_ += N - 1;
    return true;
  }

  std::uint64_t count() {
    const char* const start = at_;
    std::uint64_t value = 0;
    while (left() >= 8) {
      const std::size_t digits = up_to_eight_digits(value);
      at_ += digits;
      if (digits < 8) break;
    }
    while (left() > 0 && left() < 8 && *at_ >= '0' && *at_ <= '9') {
      value = value * 10 + static_cast<std::uint64_t>(*at_++ - '0');
    }
    const std::ptrdiff_t digits = at_ - start;
    if (digits == 0 || (*start == '0' && digits > 1)) return fail(), 0;
    constexpr std::ptrdiff_t kMayOverflow = 20;
    if (digits >= kMayOverflow && std::from_chars(start, at_, value).ec != std::errc()) fail();
    return value;
  }

  std::int64_t number() {
    const bool negative = left() > 0 && *at_ == '-';
    if (negative) ++at_;
    const std::uint64_t size = count();
    const std::uint64_t most = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
    if (size > most || (negative && size == 0)) fail();
    return static_cast<std::int64_t>(negative ? 0 - size : size);
  }

  bool flag() {
    if (accept("true")) return true;
    literal("false");
    return false;
  }

  // The longest run of characters that `has` is true of; it may be empty.
  template <std::predicate<char> Has>
  std::string_view run(Has has) {
    const char* const start = at_;
    while (at_ != end_ && has(*at_)) ++at_;
    return {start, at_};
  }

  std::uint32_t checksum() {
    std::uint32_t crc = 0;
    for (const std::uint8_t each : hex<4>()) crc = crc << 8 | each;
    return crc;
  }
  Id128 id() { return {.bytes = hex<16>()}; }

  void digest(Digest& value) {
    if (left() < kDigestBase64Chars || !read_base64url({at_, kDigestBase64Chars}, value))
      return fail();
    at_ += kDigestBase64Chars;
  }

  // What is left, all of it.
  std::string_view rest() {
    const char* const start = at_;
    at_ = end_;
    return {start, end_};
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] const char* at() const { return at_; }

 private:
  static constexpr std::array<std::uint64_t, 9> kTens{
      1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

  // What each byte is worth as a hexadecimal digit; kNoHex in its upper half where it is none.
  static constexpr std::uint8_t kNoHex = 0x80;
  static constexpr auto kHexValues = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(kNoHex);
    for (std::uint8_t i = 0; i < 10; ++i) values['0' + i] = i;
    for (std::uint8_t i = 0; i < 6; ++i) values['a' + i] = static_cast<std::uint8_t>(10 + i);
    return values;
  }();

  static unsigned hex_value(char c) { return kHexValues[static_cast<std::uint8_t>(c)]; }

  void fail() {
    ok_ = false;
    at_ = end_;
  }

  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  // Appends the digits among the next eight bytes to `value` and says how many they were. All at
  // once: digits are joined in one word, to pairs, fours and eights.
  [[nodiscard]] std::size_t up_to_eight_digits(std::uint64_t& value) const {
    static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");
    std::uint64_t word = load<std::uint64_t>(at_) ^ 0x3030'3030'3030'3030;  // '0'..'9' are now 0..9
    // The high bit of each byte that is above 9; exact up to the first of them, which is what
    // counts.
    const std::uint64_t others = ((word + 0x7676'7676'7676'7676) | word) & 0x8080'8080'8080'8080;
    const auto digits = static_cast<std::size_t>(std::countr_zero(others)) / 8;
    if (digits == 0) return 0;
    word <<= 64 - 8 * digits;  // zeros in front
    word = (word * 10 + (word >> 8)) & 0x00ff'00ff'00ff'00ff;
    word = (word * 100 + (word >> 16)) & 0x0000'ffff'0000'ffff;
    word = (word * 10'000 + (word >> 32)) & 0xffff'ffff;
    value = value * kTens[digits] + word;
    return digits;
  }

  template <typename Word>
  static Word load(const char* at) {
    Word word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  // memcmp would be a call for most short lengths; two loads that may overlap are not.
  template <typename Word, std::size_t kBytes>
  static bool same_ends(const char* a, const char* b) {
    constexpr std::size_t kLast = kBytes - sizeof(Word);
    return load<Word>(a) == load<Word>(b) && load<Word>(a + kLast) == load<Word>(b + kLast);
  }
  template <std::size_t kBytes>
  static bool same(const char* a, const char* b) {
    if constexpr (kBytes > 16) {
      return std::memcmp(a, b, kBytes) == 0;
    } else if constexpr (kBytes >= 8) {
      return same_ends<std::uint64_t, kBytes>(a, b);
    } else if constexpr (kBytes >= 4) {
      return same_ends<std::uint32_t, kBytes>(a, b);
    } else if constexpr (kBytes >= 2) {
      return same_ends<std::uint16_t, kBytes>(a, b);
    } else {
      return *a == *b;
    }
  }

  template <std::size_t N>
  std::array<std::uint8_t, N> hex() {
    std::array<std::uint8_t, N> bytes{};
    if (left() < 2 * N) return fail(), bytes;
    unsigned seen = 0;
    for (std::uint8_t& byte : bytes) {
      const unsigned high = hex_value(at_[0]);
      const unsigned low = hex_value(at_[1]);
      seen |= high | low;
      byte = static_cast<std::uint8_t>(high << 4 | low);
      at_ += 2;
    }
    if ((seen & kNoHex) != 0) fail();
    return bytes;
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace holdfast
