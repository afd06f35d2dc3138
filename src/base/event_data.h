// SPDX-License-Identifier: Apache-2.0
//
// EventData: the data of an event, a JSON object, built so that it cannot be malformed.
//
//   EventData().text("lock", "deploy").number("waited_ms", 1500).flag("forced", true)
//
// Guarantee: json() is one compact object on one line, valid UTF-8, keys in the order in which they
// were added. Text that is not UTF-8 (paths need not be) has each bad byte replaced by U+FFFD.
// A key is a literal of the caller and must not be repeated; nobody checks it here. from_json
// takes text that a parser has already accepted and written compactly.
//
// keys() names what is in it with its kind, so that a schema can be checked without parsing.
//
// json() is kept closed at all times, so asking for it copies nothing; the reference is good until
// the next change.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

enum class DataKind : std::uint8_t { kText, kNumber, kFlag, kList, kObject, kNull };

class EventData {
 public:
  struct Key {
    std::string name;
    DataKind kind = DataKind::kNull;

    bool operator==(const Key&) const = default;
  };

  EventData& text(std::string_view key, std::string_view value);
  EventData& number(std::string_view key, std::int64_t value);
  // A number that is never negative: sizes, sequence numbers.
  EventData& count(std::string_view key, std::uint64_t value);
  EventData& flag(std::string_view key, bool value);
  EventData& texts(std::string_view key, std::span<const std::string> values);
  EventData& object(std::string_view key, const EventData& value);
  EventData& objects(std::string_view key, std::span<const EventData> values);
  EventData& null(std::string_view key);

  // `compact` is a whole JSON object without line breaks, `keys` its top level.
  static EventData from_json(std::string compact, std::vector<Key> keys);

  [[nodiscard]] const std::string& json() const { return json_; }
  [[nodiscard]] std::span<const Key> keys() const { return keys_; }

 private:
  // Opens the object for one more key.
  void make_room(std::string_view key, DataKind kind);
  // Opens it behind `"key":`; end() closes it again.
  void begin(std::string_view key, DataKind kind);
  EventData& end();
  EventData& raw(std::string_view key, DataKind kind, std::string_view value);

  std::string json_ = "{}";
  std::vector<Key> keys_;
};

// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string_view text, std::string& out);

}  // namespace holdfast
