// SPDX-License-Identifier: Apache-2.0
#include "format/journal/event_type.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

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

}  // namespace holdfast
