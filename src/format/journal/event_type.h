// SPDX-License-Identifier: Apache-2.0
//
// The registry of event types: each has a class (base/event.h), the fields that it must or may
// have, and one sentence for the manual. Types and fields may be added, never renamed, and a
// required field is never added to an old type: what is written is read for years.
//
// Types that begin with `x.` belong to the user: any data, class `event`.
#pragma once

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

}  // namespace holdfast
