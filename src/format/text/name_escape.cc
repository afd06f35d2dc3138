// SPDX-License-Identifier: Apache-2.0
#include "format/text/name_escape.h"

#include <algorithm>
#include <array>
#include <optional>

namespace holdfast {
namespace {

constexpr std::string_view kEscapeHexDigits = "0123456789ABCDEF";
constexpr std::string_view kAlwaysPlain = "abcdefghijklmnopqrstuvwxyz0123456789._-";

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// Windows takes these, with any extension, for devices. Digits as superscripts are not ASCII and
// are escaped anyway.
bool is_device_stem(std::string_view stem) {
  constexpr std::array<std::string_view, 4> kWords{"con", "prn", "aux", "nul"};
  if (std::find(kWords.begin(), kWords.end(), stem) != kWords.end()) return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
         stem[3] >= '0' && stem[3] <= '9';
}

// Must byte `i` of `raw` be escaped?
bool needs_escape(std::string_view raw, std::size_t i, NameRules rules) {
  const char c = raw[i];
  if (i == 0 && c == '.') return true;
  if (is_capital(c)) return rules == NameRules::kCaseless;
  if (kAlwaysPlain.find(c) == std::string_view::npos) return true;
  if (rules == NameRules::kCased) return false;
  if (c == '.' && i + 1 == raw.size()) return true;
  const std::string_view stem = raw.substr(0, raw.find('.'));
  return i + 1 == stem.size() && is_device_stem(stem);
}

std::optional<char> hex_byte(std::string_view two) {
  if (two.size() < 2) return std::nullopt;
  const std::size_t high = kEscapeHexDigits.find(two[0]);
  const std::size_t low = kEscapeHexDigits.find(two[1]);
  if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
  return static_cast<char>(high << 4 | low);
}

std::unexpected<Error> bad_name(std::string_view raw, std::string_view why) {
  return fail({.code = ErrorCode::kUsage,
               .op = "use the name",
               .subject = "'" + std::string(raw) + "'",
               .cause = "bad-name",
               .detail = std::string(why)});
}

std::unexpected<Error> bad_file_name(std::string_view escaped) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the escaped name",
               .subject = "'" + std::string(escaped) + "'",
               .cause = "bad-escape",
               .detail = "holdfast never writes such a name; somebody else put it there"});
}

std::string escaped_bytes(std::string_view raw, NameRules rules) {
  std::string escaped;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (!needs_escape(raw, i, rules)) {
      escaped += raw[i];
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(raw[i]);
    escaped += {'%', kEscapeHexDigits[byte >> 4], kEscapeHexDigits[byte & 0xf]};
  }
  return escaped;
}

Result<std::string> unescaped_bytes(std::string_view escaped) {
  std::string raw;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '%') {
      raw += escaped[i];
      continue;
    }
    const auto byte = hex_byte(escaped.substr(i + 1));
    if (!byte) return bad_file_name(escaped);
    raw += *byte;
    i += 2;
  }
  return raw;
}

}  // namespace

Result<std::string> escape_name(std::string_view raw, NameRules rules) {
  if (raw.empty()) return bad_name(raw, "it is empty");
  if (raw.size() > kMaxRawName) return bad_name(raw, "it is longer than 128 bytes");
  std::string escaped = escaped_bytes(raw, rules);
  if (escaped.size() > kMaxEscapedName) {
    return bad_name(raw, "it has too many special characters: escaped it is longer than 200 bytes");
  }
  return escaped;
}

Result<std::string> unescape_name(std::string_view escaped, NameRules rules) {
  auto raw = HF_TRY(unescaped_bytes(escaped));
  // Canonical or nothing: escaping again must give the same bytes.
  const auto again = escape_name(raw, rules);
  if (!again || *again != escaped) return bad_file_name(escaped);
  return raw;
}

bool is_lock_path(std::string_view name) {
  return name.starts_with('/') || name.starts_with("./") || name.starts_with("../") ||
         name == "." || name == "..";
}

Result<std::string> escape_lock_path(std::string_view path, NameRules rules) {
  std::string escaped = escaped_bytes(path, rules);
  if (escaped.size() <= kMaxEscapedPath) return escaped;
  return fail({.code = ErrorCode::kUsage,
               .op = "lock",
               .subject = std::string(path),
               .cause = "name-too-long",
               .detail = "the path is too long for the name of its record: escaped it has more "
                         "than 250 bytes; `holdfast flock` locks without a record"});
}

Result<std::string> unescape_lock(std::string_view escaped, NameRules rules) {
  auto raw = HF_TRY(unescaped_bytes(escaped));
  const auto again = raw.starts_with('/') ? escape_lock_path(raw, rules) : escape_name(raw, rules);
  if (!again || *again != escaped) return bad_file_name(escaped);
  return raw;
}

}  // namespace holdfast
