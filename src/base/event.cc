// SPDX-License-Identifier: Apache-2.0
#include "base/event.h"

#include <array>

namespace holdfast {
namespace {

constexpr std::string_view kTrace = "trace";
constexpr std::string_view kEvent = "event";
constexpr std::string_view kDecision = "decision";
constexpr std::array kClassNames{kTrace, kEvent, kDecision};

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

}  // namespace holdfast
