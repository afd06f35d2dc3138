// SPDX-License-Identifier: Apache-2.0
//
// What every part of holdfast says when something has happened, without knowing the journal.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast {

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

// Event and EventSink.
//
//   sink.record({.type = "lock.fail_open",
//                .data = EventData().text("lock", name).text("reason", "timeout")});
//
// The class of an event is a promise about when it is kept. The registry (format/journal/event_type.h)
// gives each type its class; `at_least` may raise it and never lowers it:
//   trace     free locks coming and going; a library may buffer it for up to 1 s, a full disk may
//             drop it, counted
//   event     written before record() returns
//   decision  on stable storage before record() returns: force, take-over, failing open, deletion.
//             The caller acts after record() succeeded, and does not act where it failed.
//
// Errors of record(): kUsage for a type or data that the registry does not know (a programming
// fault of the caller, or a typo in `journal append`); anything else is the journal's own state.
enum class EventClass : std::uint8_t { kTrace, kEvent, kDecision };

std::string_view to_text(EventClass event_class);  // "trace", "event", "decision"
std::optional<EventClass> parse_event_class(std::string_view text);

struct Event {
  std::string_view type;
  EventData data{};
  EventClass at_least = EventClass::kTrace;
};

struct EventReceipt {
  enum class Kept : std::uint8_t {
    kBuffered,  // trace only: in memory, written within a second or with the next event
    kSpilled,   // beside the journal, because its lock was busy; the next writer merges it
    kWritten,   // in the journal
    kDurable,   // in the journal and on stable storage
  };
  Kept kept = Kept::kWritten;
  std::uint64_t seq = 0;  // its number in the journal; 0 while it has none
};

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual Result<EventReceipt> record(const Event& event) = 0;
};

}  // namespace holdfast
