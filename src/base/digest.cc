// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

namespace holdfast {
namespace {

constexpr std::string_view kDigestDigits = "0123456789abcdef";
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// What each byte is worth as a digit. kNoDigit shows above bit 24 wherever it stands in a group of
// 24 bits, so that the groups' `or` tells whether all of them were digits.
constexpr std::uint32_t kNoDigit = 0xffff'ffff;
constexpr std::uint32_t kNoDigitSeen = 0xff00'0000;
using DigitValues = std::array<std::uint32_t, 256>;

constexpr DigitValues values_of(std::string_view digits) {
  DigitValues values;
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    values[static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint32_t>(i);
  }
  return values;
}
constexpr DigitValues kHexValues = values_of(kDigestDigits);
constexpr DigitValues kBase64Values = values_of(kBase64Digits);

constexpr std::size_t kWholeGroups = 10;  // of 3 bytes in 4 characters; 2 bytes in 3 are left

std::uint32_t value_of(const DigitValues& values, char c) {
  return values[static_cast<std::uint8_t>(c)];
}

}  // namespace

std::string to_hex(const Digest& digest) {
  std::string hex;
  hex.reserve(2 * digest.bytes.size());
  for (const std::uint8_t byte : digest.bytes) {
    hex += kDigestDigits[byte >> 4];
    hex += kDigestDigits[byte & 0xf];
  }
  return hex;
}

std::optional<Digest> parse_digest_hex(std::string_view hex) {
  Digest digest;
  if (hex.size() != 2 * digest.bytes.size()) return std::nullopt;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
    const std::uint32_t high = value_of(kHexValues, hex[2 * i]);
    const std::uint32_t low = value_of(kHexValues, hex[2 * i + 1]);
    seen |= high | low;
    digest.bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return (seen & kNoDigitSeen) == 0 ? std::optional(digest) : std::nullopt;
}

void write_base64url(const Digest& digest, char* out) {
  const std::uint8_t* in = digest.bytes.data();
  for (std::size_t group = 0; group < kWholeGroups; ++group, in += 3, out += 4) {
    const std::uint32_t bits = std::uint32_t{in[0]} << 16 | std::uint32_t{in[1]} << 8 | in[2];
    out[0] = kBase64Digits[bits >> 18];
    out[1] = kBase64Digits[bits >> 12 & 0x3f];
    out[2] = kBase64Digits[bits >> 6 & 0x3f];
    out[3] = kBase64Digits[bits & 0x3f];
  }
  const std::uint32_t bits = std::uint32_t{in[0]} << 8 | in[1];
  out[0] = kBase64Digits[bits >> 10];
  out[1] = kBase64Digits[bits >> 4 & 0x3f];
  out[2] = kBase64Digits[bits << 2 & 0x3f];
}

std::string to_base64url(const Digest& digest) {
  std::string text(kDigestBase64Chars, '\0');
  write_base64url(digest, text.data());
  return text;
}

bool read_base64url(std::string_view text, Digest& digest) {
  if (text.size() != kDigestBase64Chars) return false;
  const char* in = text.data();
  std::uint8_t* out = digest.bytes.data();
  std::uint32_t seen = 0;
  for (std::size_t group = 0; group < kWholeGroups; ++group, in += 4, out += 3) {
    const std::uint32_t bits = value_of(kBase64Values, in[0]) << 18 |
                               value_of(kBase64Values, in[1]) << 12 |
                               value_of(kBase64Values, in[2]) << 6 | value_of(kBase64Values, in[3]);
    seen |= bits;
    out[0] = static_cast<std::uint8_t>(bits >> 16);
    out[1] = static_cast<std::uint8_t>(bits >> 8);
    out[2] = static_cast<std::uint8_t>(bits);
  }
  const std::uint32_t last = value_of(kBase64Values, in[2]);
  const std::uint32_t bits =
      value_of(kBase64Values, in[0]) << 10 | value_of(kBase64Values, in[1]) << 4 | last >> 2;
  seen |= bits;
  out[0] = static_cast<std::uint8_t>(bits >> 8);
  out[1] = static_cast<std::uint8_t>(bits);
  return (seen & kNoDigitSeen) == 0 && (last & 3) == 0;
}

std::optional<Digest> parse_digest_base64url(std::string_view text) {
  Digest digest;
  if (!read_base64url(text, digest)) return std::nullopt;
  return digest;
}

}  // namespace holdfast
