// SPDX-License-Identifier: Apache-2.0
#include "base/event.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/printable.h"

namespace holdfast {
namespace {

constexpr std::string_view kTrace = "trace";
constexpr std::string_view kEvent = "event";
constexpr std::string_view kDecision = "decision";
constexpr std::array kClassNames{kTrace, kEvent, kDecision};

constexpr std::string_view kEscapeDigits = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
// Room for what most events hold, so that building one allocates twice and not at each key.
constexpr std::size_t kUsualBytes = 192;
constexpr std::size_t kUsualKeys = 6;

// Which bytes stay as they are inside a JSON string.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = true;
  plain['"'] = plain['\\'] = false;
  return plain;
}();

std::size_t plain_run(std::string_view text) {
  std::size_t run = 0;
  while (run < text.size() && kPlain[static_cast<std::uint8_t>(text[run])]) ++run;
  return run;
}

bool is_plain(std::string_view text) { return plain_run(text) == text.size(); }

// A literal's length is known when it is compiled, and copying it needs no call.
template <std::size_t kBytes>
struct Literal {
  // NOLINTNEXTLINE(google-explicit-constructor, cppcoreguidelines-avoid-c-arrays)
  consteval Literal(const char (&literal)[kBytes]) : text(literal) {}
  static constexpr std::size_t size() { return kBytes - 1; }
  const char* text;
};

char* put(std::string_view text, char* at) { return std::ranges::copy(text, at).out; }
template <std::size_t kBytes>
char* put(Literal<kBytes> literal, char* at) {
  std::memcpy(at, literal.text, literal.size());
  return at + literal.size();
}

// Appends them all in one step: most are short, and each step costs as much.
template <typename... Pieces>
void append_all(std::string& out, Pieces... pieces) {
  const std::size_t before = out.size();
  const std::size_t after = before + (pieces.size() + ...);
  // libstdc++ 12 tells the operation of more room than was asked for.
  out.resize_and_overwrite(after, [&](char* bytes, std::size_t /*room*/) {
    char* at = bytes + before;
    ((at = put(pieces, at)), ...);
    return after;
  });
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
  out += kEscapeDigits[byte >> 4];
  out += kEscapeDigits[byte & 0xf];
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

std::string_view to_text(EventClass event_class) {
  return kClassNames[static_cast<std::size_t>(event_class)];
}

std::optional<EventClass> parse_event_class(std::string_view text) {
  // Spelled out, not a loop: each comparison is then one or two instructions, and every record that
  // is read comes here.
  if (text == kEvent) return EventClass::kEvent;
  if (text == kTrace) return EventClass::kTrace;
  if (text == kDecision) return EventClass::kDecision;
  return std::nullopt;
}

void append_json_string(std::string_view text, std::string& out) {
  if (is_plain(text)) return append_all(out, Literal("\""), text, Literal("\""));
  out += '"';
  while (!text.empty()) {
    const std::size_t run = plain_run(text);
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

void EventData::make_room(std::string_view key, DataKind kind) {
  if (keys_.empty()) {
    json_.reserve(kUsualBytes);
    keys_.reserve(kUsualKeys);
    json_.pop_back();
  } else {
    json_.back() = ',';
  }
  Key& added = keys_.emplace_back();
  added.name.assign(key);
  added.kind = kind;
}

void EventData::begin(std::string_view key, DataKind kind) {
  make_room(key, kind);
  append_json_string(key, json_);
  json_ += ':';
}

EventData& EventData::end() {
  json_ += '}';
  return *this;
}

EventData& EventData::raw(std::string_view key, DataKind kind, std::string_view value) {
  if (!is_plain(key)) {
    begin(key, kind);
    json_ += value;
    return end();
  }
  make_room(key, kind);
  append_all(json_, Literal("\""), key, Literal("\":"), value, Literal("}"));
  return *this;
}

EventData& EventData::text(std::string_view key, std::string_view value) {
  if (!is_plain(key) || !is_plain(value)) {
    begin(key, DataKind::kText);
    append_json_string(value, json_);
    return end();
  }
  make_room(key, DataKind::kText);
  append_all(json_, Literal("\""), key, Literal("\":\""), value, Literal("\"}"));
  return *this;
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
