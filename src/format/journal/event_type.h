// SPDX-License-Identifier: Apache-2.0
//
// The registry of event types: each has a class (base/event.h), the fields that it must or may
// have, and one sentence for the manual. Types and fields may be added, never renamed, and a
// required field is never added to an old type: what is written is read for years.
//
// Types that begin with `x.` belong to the user: any data, class `event`.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/event.h"
#include "base/result.h"

namespace holdfast {

inline constexpr std::string_view kOwnTypePrefix = "x.";

struct EventField {
  std::string_view name;
  DataKind kind = DataKind::kText;
  bool required = false;
};

struct EventType {
  std::string_view name;
  EventClass event_class = EventClass::kEvent;
  std::span<const EventField> fields;
  std::string_view says;
};

// All of them, sorted by name. (event_table.cc)
std::span<const EventType> event_types();

// Null where there is none of this name.
const EventType* find_event_type(std::string_view name);

// The class of an event of this type with these keys. Further keys are allowed; an optional field
// may be null. Errors, all kUsage:
//   bad-type       not a spelling of a type (journal_record.h)
//   unknown-type   not registered; the detail has the nearest name that is
//   missing-field  a required field is not there; the detail names it
//   wrong-kind     a field is there, but for example a text instead of a number
Result<EventClass> check_event(std::string_view type, std::span<const EventData::Key> keys);

// parse_event_data: JSON from outside (`journal append --data`) as the data of an event.
//
// Guarantee: the result says the same as the text. Keys keep their order; texts are spelled in the
// one way of append_json_string; fractions, exponents and whole numbers beyond 64 bits keep their
// exact digits, other whole numbers have one spelling (`-0` becomes `0`). A number that no double
// can hold (1e999) is refused, because readers would differ about it.
//
// Limits: one object, valid UTF-8 (a byte order mark in front is dropped), nested at most 64 deep,
// at most 8 MiB, no key twice in an object (parsers disagree about which one counts). Errors, all
// kCorrupt, with the place in the detail: not-json, not-an-object, duplicate-key, too-deep,
// too-large.
inline constexpr std::size_t kMaxEventDataBytes = std::size_t{8} * 1024 * 1024;
inline constexpr std::size_t kMaxEventDataDepth = 64;

Result<EventData> parse_event_data(std::string_view json_text);

}  // namespace holdfast
