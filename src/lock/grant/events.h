// SPDX-License-Identifier: Apache-2.0
//
// What the lock part puts on record. The journal's lock is a leaf: none of these is called with
// GUARD held. Tokens never go into an event.
#pragma once

#include <string>

#include "base/event.h"
#include "base/result.h"
#include "lock/grant/backend.h"

namespace holdfast::lock {

// For whom a lock was got.
struct Who {
  std::int32_t pid = 0;  // of the work, or of who acquires for a command that does not exist yet
  std::string_view command{};
  std::string_view reason{};
};

class LockEvents {
 public:
  // Without a sink nothing is recorded, and decisions are refused.
  LockEvents(EventSink* sink, std::string label) : sink_(sink), label_(std::move(label)) {}

  // Of class trace and event: what cannot be recorded is lost, the lock is not.
  void acquired(const Grant& grant, const AcquireOutcome& outcome, const Who& who) const;
  void released(const Grant& grant) const;
  void busy(const AcquireOutcome& outcome) const;
  void lost(const Grant& grant, std::string_view how) const;
  void release_refused(std::string_view why) const;
  // Decisions: on stable storage before they return; the caller acts only after success.
  Result<> will_take(const HolderView& holder, std::string_view evidence, Duration overrun) const;
  Result<> taken(const Grant& grant, const HolderView& holder, std::string_view evidence) const;
  Result<> will_break(const HolderView& holder, std::string_view reason) const;

 private:
  void tell(const Event& event) const;
  Result<> decide(const Event& event) const;

  EventSink* sink_;
  std::string label_;
};

}  // namespace holdfast::lock
