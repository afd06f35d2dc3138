// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/events.h"

#include <chrono>

#include "format/text/rfc3339.h"

namespace holdfast::lock {
namespace {

std::int64_t milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

EventData of_lock(const std::string& label) { return std::move(EventData().text("lock", label)); }

void add_grant(const Grant& grant, EventData& data) {
  data.text("mode", to_text(grant.mode)).count("fence", grant.fence);
}

void add_holder(const HolderView& holder, EventData& data) {
  EventData view;
  if (holder.pid) view.number("pid", *holder.pid);
  if (!holder.host.empty()) view.text("host", holder.host);
  if (holder.since) view.text("since", format_rfc3339(*holder.since));
  if (!holder.reason.empty()) view.text("reason", holder.reason);
  if (!holder.command.empty()) view.text("command", holder.command);
  if (holder.foreign) view.flag("foreign", true);
  if (!holder.evidence.empty()) view.text("evidence", holder.evidence);
  if (!view.keys().empty()) data.object("holder", view);
}

// Why it was not got.
std::string_view reason_of(const AcquireOutcome& outcome) {
  switch (outcome.kind) {
    case AcquireOutcome::Kind::kDeadlock:
      return "deadlock";
    case AcquireOutcome::Kind::kCancelled:
      return "cancelled";
    case AcquireOutcome::Kind::kSurvivors:
      return "survivors";
    case AcquireOutcome::Kind::kBusy:
    case AcquireOutcome::Kind::kGranted:
    case AcquireOutcome::Kind::kReentered:
      break;
  }
  return outcome.busy_reason;
}

}  // namespace

void LockEvents::acquired(const Grant& grant, const AcquireOutcome& outcome, const Who& who) const {
  if (sink_ == nullptr || outcome.kind != AcquireOutcome::Kind::kGranted) return;
  const LockCause cause = outcome.cause.value_or(LockCause::kFresh);
  const bool from_the_dead =
      cause == LockCause::kDead || cause == LockCause::kRebooted || cause == LockCause::kExpired;
  EventData data = of_lock(label_);
  add_grant(grant, data);
  if (who.pid > 0) data.number("pid", who.pid);
  if (!who.command.empty()) data.text("by", who.command);
  if (!who.reason.empty()) data.text("reason", who.reason);
  if (outcome.waited >= std::chrono::milliseconds(1)) {
    data.number("waited_ms", milliseconds(outcome.waited));
  }
  if (!from_the_dead) return tell({.type = "lock.acquired", .data = std::move(data)});
  data.text("evidence", outcome.evidence.empty() ? to_text(cause) : outcome.evidence);
  if (outcome.before) add_holder(*outcome.before, data);
  tell({.type = "lock.recovered", .data = std::move(data)});
}

void LockEvents::released(const Grant& grant) const {
  if (sink_ == nullptr) return;
  EventData data = of_lock(label_);
  add_grant(grant, data);
  tell({.type = "lock.released", .data = std::move(data)});
}

void LockEvents::busy(const AcquireOutcome& outcome) const {
  if (sink_ == nullptr) return;
  EventData data = of_lock(label_);
  if (const auto reason = reason_of(outcome); !reason.empty()) data.text("reason", reason);
  data.number("waited_ms", milliseconds(outcome.waited));
  add_holder(outcome.holder, data);
  tell({.type = "lock.busy", .data = std::move(data)});
}

void LockEvents::lost(const Grant& grant, std::string_view how) const {
  if (sink_ == nullptr) return;
  EventData data = of_lock(label_);
  add_grant(grant, data);
  data.text("evidence", how);
  tell({.type = "lock.lost", .data = std::move(data)});
}

void LockEvents::release_refused(std::string_view why) const {
  if (sink_ == nullptr) return;
  EventData data = of_lock(label_);
  data.text("reason", why);
  tell({.type = "lock.release_refused", .data = std::move(data)});
}

Result<> LockEvents::will_take(const HolderView& holder, std::string_view evidence,
                               Duration overrun) const {
  EventData data = of_lock(label_);
  data.text("evidence", evidence).number("overrun_ms", milliseconds(overrun));
  add_holder(holder, data);
  return decide({.type = "lock.expired", .data = std::move(data)});
}

Result<> LockEvents::taken(const Grant& grant, const HolderView& holder,
                           std::string_view evidence) const {
  EventData data = of_lock(label_);
  add_grant(grant, data);
  data.text("evidence", evidence);
  add_holder(holder, data);
  return decide({.type = "lock.taken", .data = std::move(data)});
}

Result<> LockEvents::will_break(const HolderView& holder, std::string_view reason) const {
  EventData data = of_lock(label_);
  if (!reason.empty()) data.text("reason", reason);
  add_holder(holder, data);
  return decide({.type = "lock.broken", .data = std::move(data)});
}

void LockEvents::tell(const Event& event) const {
  const auto kept = sink_->record(event);
  static_cast<void>(kept);
}

Result<> LockEvents::decide(const Event& event) const {
  if (sink_ == nullptr) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "take by force",
                 .subject = label_,
                 .cause = "no-journal",
                 .detail = "such a decision must be on record first, and there is no journal; "
                           "nothing was changed"});
  }
  HF_TRY(sink_->record(event));
  return {};
}

}  // namespace holdfast::lock
