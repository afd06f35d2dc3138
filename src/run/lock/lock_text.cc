// SPDX-License-Identifier: Apache-2.0
#include "run/lock/lock_text.h"

#include "base/cause.h"
#include "base/units.h"
#include "format/text/rfc3339.h"

namespace holdfast::run {
namespace {

using LockTextKind = lock::AcquireOutcome::Kind;

std::string held_by(const lock::HolderView& holder) {
  std::string text = "it is held by " + holder_text(holder);
  if (!holder.pid) text += ", which has no number here (another pid namespace or machine)";
  return text;
}

std::string what_to_do(const std::string& label, const lock::AcquireRequest& request) {
  const bool file = label.starts_with("file:");
  const std::string which = file ? "--file " + label.substr(5) : label;  // a path is a NAME
  return (request.wait == Duration::zero() ? "-w D waits for it" : "-w D waits longer") +
         std::string(", `holdfast locks ") + which + "` shows more";
}

}  // namespace

std::string holder_text(const lock::HolderView& holder) {
  std::string text;
  if (holder.foreign) {
    text = holder.elsewhere ? "a process without a record in this home"
                            : "a program that is not holdfast";
  }
  if (holder.pid) text += (text.empty() ? "pid " : ", pid ") + std::to_string(*holder.pid);
  if (text.empty()) text = "an unknown process";
  if (!holder.host.empty()) text += " on " + holder.host;
  if (holder.since) text += " since " + format_rfc3339(*holder.since);
  if (!holder.reason.empty()) {
    text += " (" + holder.reason + ")";
  } else if (!holder.command.empty()) {
    text += " (" + holder.command + ")";
  }
  return text;
}

std::string waiting_text(const std::string& label, const lock::HolderView& holder,
                         const std::optional<Duration>& wait) {
  return "waiting for the lock '" + label + "', held by " + holder_text(holder) +
         (wait ? ", for up to " + format_duration(*wait) : std::string());
}

std::string wall_of(BootTime moment, const Clock& clock) {
  return format_rfc3339(clock.wall() + (moment - clock.boot()));
}

Error not_acquired(const std::string& label, const lock::AcquireOutcome& outcome,
                   const lock::AcquireRequest& request) {
  Error error{.code = ErrorCode::kBusy, .op = "get the lock", .subject = "'" + label + "'"};
  const std::string waited =
      request.wait == Duration::zero() ? "" : "; waited " + format_duration(outcome.waited);
  switch (outcome.kind) {
    case LockTextKind::kDeadlock:
      error.cause = "deadlock";
      error.detail = "waiting would never end: " + outcome.detail;
      return error;
    case LockTextKind::kSurvivors:
      error.code = ErrorCode::kOsRefused;
      error.cause = "survivors";
      error.detail = "its holder was to be ended, but something is left alive: " + outcome.detail;
      return error;
    case LockTextKind::kCancelled:
      error.cause = "cancelled";
      error.detail = "the wait was ended";
      return error;
    case LockTextKind::kBusy:
    case LockTextKind::kGranted:
    case LockTextKind::kReentered:
      break;
  }
  error.cause = outcome.busy_reason.empty() ? "timeout" : outcome.busy_reason;
  error.detail = outcome.busy_reason == cause::kReadersFull
                     ? "as many readers as there can be hold it"
                     : held_by(outcome.holder);
  if (!outcome.detail.empty()) error.detail += " (" + outcome.detail + ")";
  error.detail += waited;
  return error;
}

Error not_granted(const std::string& label, const lock::AcquireOutcome& outcome,
                  const lock::AcquireRequest& request) {
  Error error = not_acquired(label, outcome, request);
  if (outcome.kind == LockTextKind::kBusy)
    error.detail += "; the command did not run. " + what_to_do(label, request);
  return error;
}

std::string grant_note(const std::string& label, const lock::AcquireOutcome& outcome) {
  const bool taken = outcome.cause == LockCause::kExpired || outcome.cause == LockCause::kReplaced;
  if (!taken) return "";
  std::string note = "the lock '" + label + "' was taken over (" + outcome.evidence + ")";
  if (outcome.before) note += " from " + holder_text(*outcome.before);
  return note;
}

}  // namespace holdfast::run
