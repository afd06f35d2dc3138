// SPDX-License-Identifier: Apache-2.0
#include "base/event_data.h"

#include <array>
#include <charconv>
#include <utility>

#include "base/printable.h"

namespace holdfast {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
// Room for what most events hold, so that building one allocates twice and not at each key.
constexpr std::size_t kUsualBytes = 192;
constexpr std::size_t kUsualKeys = 6;

// Stays as it is inside a JSON string.
bool is_plain(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void append_escape(char c, std::string& out) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  out += '\\';
  if (const std::size_t at = kNamed.find(c); at != std::string_view::npos) {
    out += kNames[at];
    return;
  }
  const auto byte = static_cast<std::uint8_t>(c);
  out += "u00";
  out += kHexDigits[byte >> 4];
  out += kHexDigits[byte & 0xf];
}

template <typename Integer>
struct Decimal {
  explicit Decimal(Integer value)
      : end(std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr) {}
  [[nodiscard]] std::string_view text() const { return {digits.data(), end}; }

  std::array<char, 24> digits;
  const char* end;
};

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    std::size_t run = 0;
    while (run < text.size() && is_plain(text[run])) ++run;
    out += text.substr(0, run);
    text.remove_prefix(run);
    if (text.empty()) break;
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) {
      out += kReplacement;
    } else if (length == 1) {
      append_escape(text[0], out);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

void EventData::begin(std::string_view key, DataKind kind) {
  if (keys_.empty()) {
    json_.reserve(kUsualBytes);
    keys_.reserve(kUsualKeys);
    json_.pop_back();
  } else {
    json_.back() = ',';
  }
  append_json_string(key, json_);
  json_ += ':';
  keys_.push_back({.name = std::string(key), .kind = kind});
}

EventData& EventData::end() {
  json_ += '}';
  return *this;
}

EventData& EventData::raw(std::string_view key, DataKind kind, std::string_view value) {
  begin(key, kind);
  json_ += value;
  return end();
}

EventData& EventData::text(std::string_view key, std::string_view value) {
  begin(key, DataKind::kText);
  append_json_string(value, json_);
  return end();
}

EventData& EventData::number(std::string_view key, std::int64_t value) {
  return raw(key, DataKind::kNumber, Decimal(value).text());
}

EventData& EventData::count(std::string_view key, std::uint64_t value) {
  return raw(key, DataKind::kNumber, Decimal(value).text());
}

EventData& EventData::flag(std::string_view key, bool value) {
  return raw(key, DataKind::kFlag, value ? "true" : "false");
}

EventData& EventData::texts(std::string_view key, std::span<const std::string> values) {
  begin(key, DataKind::kList);
  json_ += '[';
  for (const std::string& value : values) {
    if (json_.back() != '[') json_ += ',';
    append_json_string(value, json_);
  }
  json_ += ']';
  return end();
}

EventData& EventData::object(std::string_view key, const EventData& value) {
  return raw(key, DataKind::kObject, value.json_);
}

EventData& EventData::objects(std::string_view key, std::span<const EventData> values) {
  begin(key, DataKind::kList);
  json_ += '[';
  for (const EventData& value : values) {
    if (json_.back() != '[') json_ += ',';
    json_ += value.json_;
  }
  json_ += ']';
  return end();
}

EventData& EventData::null(std::string_view key) { return raw(key, DataKind::kNull, "null"); }

EventData EventData::from_json(std::string compact, std::vector<Key> keys) {
  EventData data;
  data.json_ = std::move(compact);
  data.keys_ = std::move(keys);
  return data;
}

}  // namespace holdfast
