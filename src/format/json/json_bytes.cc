// SPDX-License-Identifier: Apache-2.0
#include "format/json/json.h"

#include <algorithm>

#include "base/printable.h"

namespace holdfast {
namespace {

constexpr std::string_view kJsonBytesDigits = "0123456789abcdef";

std::optional<std::string> parse_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const auto high = kJsonBytesDigits.find(hex[i]);
    const auto low = kJsonBytesDigits.find(hex[i + 1]);
    if (high == kJsonBytesDigits.npos || low == kJsonBytesDigits.npos) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

}  // namespace

Json bytes_to_json(std::string_view bytes) {
  if (is_utf8(bytes)) return Json(bytes);
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex.push_back(kJsonBytesDigits[byte / 16]);
    hex.push_back(kJsonBytesDigits[byte % 16]);
  }
  Json object = Json::object();
  object["hex"] = std::move(hex);
  return object;
}

void append_json_bytes(std::string& json, std::string_view bytes) {
  const auto needs_no_escape = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
  };
  if (!std::ranges::all_of(bytes, needs_no_escape)) {
    json += bytes_to_json(bytes).dump();
    return;
  }
  json += '"';
  json += bytes;
  json += '"';
}

std::optional<std::string> bytes_from_json(const Json& value) {
  if (const auto* text = value.text()) return *text;
  if (!value.is_object()) return std::nullopt;
  const std::string* hex = json_text(value, "hex");
  auto bytes = hex != nullptr ? parse_hex(*hex) : std::nullopt;
  if (!bytes || is_utf8(*bytes)) return std::nullopt;
  return bytes;
}

}  // namespace holdfast
