// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <cstdint>

namespace holdfast {
namespace {

constexpr char kPrintableDigits[] = "0123456789abcdef";

bool is_control(std::string_view sequence) {
  const auto first = static_cast<std::uint8_t>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<std::uint8_t>(sequence[1]) < 0xa0;  // C1: U+0080..U+009F
}

// Characters that show nothing themselves but turn the direction of what follows, or end the line.
bool is_layout_control(std::string_view sequence) {
  if (sequence == "\xd8\x9c") return true;  // U+061C
  if (sequence.size() != 3 || !sequence.starts_with('\xe2')) return false;
  const auto second = static_cast<std::uint8_t>(sequence[1]);
  const auto third = static_cast<std::uint8_t>(sequence[2]);
  if (second == 0x80) {  // U+200E, U+200F, U+2028..U+202E
    return third == 0x8e || third == 0x8f || (third >= 0xa8 && third <= 0xae);
  }
  return second == 0x81 && third >= 0xa6 && third <= 0xa9;  // U+2066..U+2069
}

void append_escaped(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    out += "\\x";
    out += kPrintableDigits[byte >> 4];
    out += kPrintableDigits[byte & 0xf];
  }
}

}  // namespace

std::size_t utf8_sequence_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if (first == 0xe0 && byte(1) < 0xa0) return 0;  // overlong
  if (first == 0xed && byte(1) > 0x9f) return 0;  // surrogate
  if (first == 0xf0 && byte(1) < 0x90) return 0;  // overlong
  if (first == 0xf4 && byte(1) > 0x8f) return 0;  // past U+10FFFF
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_control(sequence) || is_layout_control(sequence)) {
      append_escaped(out, sequence);
    } else {
      out += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return out;
}

}  // namespace holdfast
