// SPDX-License-Identifier: Apache-2.0
#include "format/journal/event_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/cause.h"
#include "format/journal/journal_record.h"
#include "format/text/nearest.h"

namespace holdfast {
namespace {

std::string_view describe(DataKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"a text", "a number",  "true or false",
                                                   "a list", "an object", "null"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::unexpected<Error> refuse(std::string_view type, std::string_view cause, std::string detail) {
  return fail({.code = ErrorCode::kUsage,
               .op = "record the event",
               .subject = "'" + std::string(type) + "'",
               .cause = std::string(cause),
               .detail = std::move(detail)});
}

std::unexpected<Error> unknown(std::string_view type) {
  std::vector<std::string_view> names;
  for (const EventType& each : event_types()) names.push_back(each.name);
  const auto guess = nearest(type, names);
  return refuse(type, "unknown-type",
                "there is no such type; " +
                    (guess ? "did you mean '" + std::string(*guess) + "'? Own types"
                           : std::string("own types")) +
                    " start with x.");
}

std::unexpected<Error> bad_spelling(std::string_view type) {
  if (type.size() > kMaxTypeBytes) {
    return refuse(type, "bad-type",
                  "it is longer than " + std::to_string(kMaxTypeBytes) + " bytes");
  }
  return refuse(type, "bad-type",
                "a type is of lower-case letters, digits, '_', '-' and single dots inside, and "
                "begins with a letter");
}

}  // namespace

const EventType* find_event_type(std::string_view name) {
  const auto types = event_types();
  const auto found = std::ranges::lower_bound(types, name, {}, &EventType::name);
  return found != types.end() && found->name == name ? &*found : nullptr;
}

Result<EventClass> check_event(std::string_view type, std::span<const EventData::Key> keys) {
  if (!is_event_type_spelling(type)) return bad_spelling(type);
  if (type.starts_with(kOwnTypePrefix)) return EventClass::kEvent;
  const EventType* const known = find_event_type(type);
  if (known == nullptr) return unknown(type);
  for (const EventField& field : known->fields) {
    const auto key = std::ranges::find(keys, field.name, &EventData::Key::name);
    if (key == keys.end()) {
      if (!field.required) continue;
      return refuse(type, "missing-field",
                    "it needs the field '" + std::string(field.name) + "', " +
                        std::string(describe(field.kind)));
    }
    const bool fits = key->kind == field.kind || (!field.required && key->kind == DataKind::kNull);
    if (!fits) {
      return refuse(type, "wrong-kind",
                    "its field '" + std::string(field.name) + "' must be " +
                        std::string(describe(field.kind)) + " and is " +
                        std::string(describe(key->kind)));
    }
  }
  return known->event_class;
}

namespace {

// Reads the text and lets others know how far it has come: the library tells the place of a syntax
// error only, and we have errors of our own.
class TrackedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  TrackedIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  bool operator==(const TrackedIterator& other) const { return at_ == other.at_; }
  bool operator!=(const TrackedIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// Writes the events of the parser down again, compactly. `false` ends the parse; then `cause` says
// why.
class Rewriter : public nlohmann::json_sax<nlohmann::ordered_json> {
 public:
  std::string out;
  std::vector<EventData::Key> keys;
  std::string cause;
  std::string detail;

  bool null() override { return value(DataKind::kNull, "null"); }
  bool boolean(bool flag) override { return value(DataKind::kFlag, flag ? "true" : "false"); }
  bool number_integer(number_integer_t number) override {
    return value(DataKind::kNumber, std::to_string(number));
  }
  bool number_unsigned(number_unsigned_t number) override {
    return value(DataKind::kNumber, std::to_string(number));
  }
  bool number_float(number_float_t /*rounded*/, const string_t& digits) override {
    std::string exact = digits;
    // The library puts the locale's decimal point into it.
    std::ranges::replace_if(exact, [](char c) { return !is_in_number(c); }, '.');
    return value(DataKind::kNumber, exact);
  }
  bool string(string_t& text) override {
    if (!begin_value(DataKind::kText)) return false;
    append_json_string(text, out);
    return true;
  }
  bool binary(binary_t& /*bytes*/) override { return false; }  // is not in JSON

  bool start_object(std::size_t /*elements*/) override {
    return begin_value(DataKind::kObject) && open('{');
  }
  bool start_array(std::size_t /*elements*/) override {
    return begin_value(DataKind::kList) && open('[');
  }
  bool key(string_t& name) override {
    if (!open_.back().insert(name).second) {
      return refuse("duplicate-key", "the key '" + name + "' is there twice in one object");
    }
    separate();
    append_json_string(name, out);
    out += ':';
    if (open_.size() == 1) keys.push_back({.name = name, .kind = DataKind::kNull});
    return true;
  }
  bool end_object() override { return close('}'); }
  bool end_array() override { return close(']'); }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …"
    const std::string_view what = error.what();
    return refuse("not-json", std::string(what.substr(std::min(what.find("] ") + 2, what.size()))));
  }

 private:
  static bool is_in_number(char c) {
    return std::string_view("0123456789+-eE").find(c) != std::string_view::npos;
  }

  bool refuse(std::string_view why, std::string what) {
    cause = why;
    detail = std::move(what);
    return false;
  }
  void separate() {
    if (const char last = out.empty() ? '{' : out.back(); last != '{' && last != '[') out += ',';
  }
  bool begin_value(DataKind kind) {
    if (open_.empty() && kind != DataKind::kObject) {
      return refuse("not-an-object", "it is not one JSON object");
    }
    if (open_.size() == 1) keys.back().kind = kind;
    if (!out.empty() && out.back() != ':') separate();
    return true;
  }
  bool value(DataKind kind, std::string_view text) {
    if (!begin_value(kind)) return false;
    out += text;
    return true;
  }
  bool open(char bracket) {
    if (open_.size() == kMaxEventDataDepth) {
      return refuse("too-deep",
                    "it is nested more than " + std::to_string(kMaxEventDataDepth) + " deep");
    }
    open_.emplace_back();
    out += bracket;
    return true;
  }
  bool close(char bracket) {
    open_.pop_back();
    out += bracket;
    return true;
  }

  std::vector<std::set<std::string>> open_;  // the keys so far of each open object (none in arrays)
};

std::unexpected<Error> event_json_refused(std::string_view cause, std::string detail) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the data of the event",
               .subject = {},
               .cause = std::string(cause),
               .detail = std::move(detail)});
}

std::string at_byte(std::size_t offset) { return " (at byte " + std::to_string(offset) + ")"; }

}  // namespace

Result<EventData> parse_event_data(std::string_view json_text) {
  if (json_text.size() > kMaxEventDataBytes) {
    return event_json_refused(cause::kTooLarge, "it has " + std::to_string(json_text.size()) +
                                                    " bytes; at most 8 MiB are allowed");
  }
  // The library takes a NUL byte for the end of the text.
  if (const std::size_t nul = json_text.find('\0'); nul != std::string_view::npos) {
    return event_json_refused("not-json", "it holds a NUL byte" + at_byte(nul));
  }
  const char* const begin = json_text.data();
  const char* reached = begin;
  Rewriter rewriter;
  rewriter.out.reserve(json_text.size());
  const bool whole = nlohmann::ordered_json::sax_parse(
      TrackedIterator(begin, &reached), TrackedIterator(begin + json_text.size(), &reached),
      &rewriter);
  if (!whole) {
    return event_json_refused(rewriter.cause,
                              rewriter.detail + at_byte(static_cast<std::size_t>(reached - begin)));
  }
  return EventData::from_json(std::move(rewriter.out), std::move(rewriter.keys));
}

}  // namespace holdfast
