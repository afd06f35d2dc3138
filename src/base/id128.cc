// SPDX-License-Identifier: Apache-2.0
#include "base/id128.h"

namespace holdfast {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::string to_hex(const Id128& id) {
  std::string hex;
  hex.reserve(2 * id.bytes.size());
  for (const std::uint8_t byte : id.bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 0xf];
  }
  return hex;
}

std::optional<Id128> parse_id128(std::string_view hex) {
  Id128 id;
  if (hex.size() != 2 * id.bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < id.bytes.size(); ++i) {
    const std::size_t high = kDigits.find(hex[2 * i]);
    const std::size_t low = kDigits.find(hex[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    id.bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return id;
}

}  // namespace holdfast
