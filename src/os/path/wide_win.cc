// SPDX-License-Identifier: Apache-2.0
#include "os/path/wide_win.h"

#include <cstdint>

#include "base/printable.h"

namespace holdfast::os {
namespace {

constexpr std::uint32_t kFirstBeyondWide = 0x10000;

bool is_lead(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_trail(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// `sequence` is one valid UTF-8 sequence.
std::uint32_t decode(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  std::uint32_t point = byte(0) & (0x7FU >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i) point = (point << 6U) | (byte(i) & 0x3FU);
  return point;
}

void append(std::wstring& wide, std::uint32_t point) {
  if (point < kFirstBeyondWide) {
    wide += static_cast<wchar_t>(point);
    return;
  }
  point -= kFirstBeyondWide;
  wide += static_cast<wchar_t>(0xD800U + (point >> 10U));
  wide += static_cast<wchar_t>(0xDC00U + (point & 0x3FFU));
}

void append(std::string& utf8, std::uint32_t point) {
  const auto tail = [&](unsigned shift) {
    utf8 += static_cast<char>(0x80U | ((point >> shift) & 0x3FU));
  };
  if (point < 0x80) {
    utf8 += static_cast<char>(point);
  } else if (point < 0x800) {
    utf8 += static_cast<char>(0xC0U | (point >> 6U));
    tail(0);
  } else if (point < kFirstBeyondWide) {
    utf8 += static_cast<char>(0xE0U | (point >> 12U));
    tail(6);
    tail(0);
  } else {
    utf8 += static_cast<char>(0xF0U | (point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

Result<std::wstring> to_wide(std::string_view utf8) {
  std::wstring wide;
  wide.reserve(utf8.size());
  for (std::string_view rest = utf8; !rest.empty();) {
    const std::size_t length = utf8_sequence_length(rest);
    if (length == 0) {
      return fail({.code = ErrorCode::kRefused,
                   .op = "use the text",
                   .subject = "'" + std::string(utf8) + "'",
                   .cause = "not-utf8",
                   .detail = "it is not valid UTF-8"});
    }
    append(wide, decode(rest.substr(0, length)));
    rest.remove_prefix(length);
  }
  return wide;
}

std::string from_wide(std::wstring_view wide) {
  std::string utf8;
  utf8.reserve(wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const std::uint32_t unit = static_cast<std::uint16_t>(wide[i]);
    if (is_lead(unit) && i + 1 < wide.size() && is_trail(static_cast<std::uint16_t>(wide[i + 1]))) {
      const std::uint32_t trail = static_cast<std::uint16_t>(wide[++i]);
      append(utf8, kFirstBeyondWide + ((unit - 0xD800U) << 10U) + (trail - 0xDC00U));
    } else {
      append(utf8, unit);
    }
  }
  return utf8;
}

}  // namespace holdfast::os
