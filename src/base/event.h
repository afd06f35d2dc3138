// SPDX-License-Identifier: Apache-2.0
//
// Event and EventSink: how every part of holdfast says what happened, without knowing the journal.
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
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/event_data.h"
#include "base/result.h"

namespace holdfast {

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
