// SPDX-License-Identifier: Apache-2.0
#include "runtime/buffered_events.h"

#include <algorithm>
#include <utility>

#include "format/journal/event_type.h"

namespace holdfast::runtime {

Result<journal::Journal*> BufferedEvents::journal() {
  if (!journal_) journal_ = HF_TRY(open_());
  return journal_.get();
}

Result<EventReceipt> BufferedEvents::record(const Event& event) {
  const EventClass registered = HF_TRY(check_event(event.type, event.data.keys()));
  if (std::max(registered, event.at_least) == EventClass::kTrace) {
    put_off_.push_back({.type = std::string(event.type), .data = event.data});
    return EventReceipt{.kept = EventReceipt::Kept::kBuffered};
  }
  // A trace that cannot be written must not stand in the way of a decision.
  const auto flushed = flush();
  static_cast<void>(flushed);
  return HF_TRY(journal())->record(event);
}

Result<> BufferedEvents::flush() {
  if (put_off_.empty()) return {};
  const std::vector<PutOff> now = std::exchange(put_off_, {});
  std::vector<Event> events;
  events.reserve(now.size());
  for (const PutOff& one : now) events.push_back({.type = one.type, .data = one.data});
  HF_TRY(HF_TRY(journal())->record_all(events));
  return {};
}

void BufferedEvents::forget() {
  put_off_.clear();
  journal_.reset();
}

void flush_or_warn(BufferedEvents& events, Reporter& reporter) {
  const auto flushed = events.flush();
  if (!flushed) reporter.warn("this is not on record: " + to_sentence(flushed.error()));
}

}  // namespace holdfast::runtime
