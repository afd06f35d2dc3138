// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_look.h"

#include "format/text/rfc3339.h"
#include "proc/identity/identity.h"
#include "session/workspace/harness.h"

namespace holdfast::loop {
namespace {

using StepLookKind = session::Trace::Kind;

void settle_look(StepLook& look, std::optional<SessionRecord> session, const TimeMark& now) {
  if (look.fate == PendingFate::kNever) return settle_as_never(look.record);
  const StepPending& pending = *look.record.pending;
  const bool tried = !session || was_tried(*session);
  const StepEnd end = end_of(pending, session);
  const TimeMark at = end_moment(pending, end, now);
  look.end = end;
  settle(look.record, end, at, tried);
}

}  // namespace

PendingFate fate_of(const StepPending& pending, const session::Trace& trace, proc::Life supervisor,
                    NameHeld name) {
  switch (trace.kind) {
    case StepLookKind::kOver:
      return PendingFate::kOver;
    case StepLookKind::kUnder:
      return PendingFate::kLive;
    case StepLookKind::kUnknown:
      return PendingFate::kUnknown;
    case StepLookKind::kOrphaned:
      return trace.view && trace.view->tree == session::Tree::kLives ? PendingFate::kOrphanLives
                                                                     : PendingFate::kOrphanUnproven;
    case StepLookKind::kNone:
      break;
  }
  const bool gone = name == NameHeld::kYes || supervisor == proc::Life::kDead;
  if (gone) return pending.reserved ? PendingFate::kGone : PendingFate::kNever;
  return supervisor == proc::Life::kLive ? PendingFate::kLive : PendingFate::kUnknown;
}

Result<StepLook> look_at_step(const session::SessionStore& sessions, StepRecord record,
                              const TimeMark& now, NameHeld name) {
  StepLook look{.record = std::move(record)};
  if (!look.record.pending) return look;
  const StepPending& pending = *look.record.pending;
  const proc::LifeVerdict supervisor = proc::judge(proc::from_record(pending.by));
  session::Trace trace = HF_TRY(
      session::trace_of(sessions, step_session(look.record.step, look.record.key), pending.run));
  look.fate = fate_of(pending, trace, supervisor.life, name);
  look.evidence = trace.view ? trace.view->evidence : supervisor.evidence;
  look.by = trace.view ? trace.view->record.supervisor : pending.by;
  if (is_claimed(look.fate)) return look;
  std::optional<SessionRecord> session;
  if (trace.view) {
    session = std::move(trace.view->record);
    session->state = trace.view->state;  // what is true now: `lost` is not always written down
  }
  settle_look(look, std::move(session), now);
  return look;
}

StepRecord fresh_step(const StepName& name, WallTime now) {
  return {.step = name.kind, .key = name.key, .created = now};
}

Result<TimeMark> moment_now(const Clock& clock) {
  TimeMark now{.moment = HF_TRY(session::boot_moment_now())};
  now.wall = clock.wall();
  return now;
}

Error claimed_error(const StepName& name, const StepLook& look) {
  const StepPending& pending = *look.record.pending;
  const std::string since = "since " + format_rfc3339(pending.since.wall);
  const std::string session = "'" + name.session() + "'";
  Error error{.code = ErrorCode::kBusy,
              .op = "begin",
              .subject = session,
              .cause = "step-claimed",
              .detail = {}};
  switch (look.fate) {
    case PendingFate::kOrphanLives:
      error.cause = "step-orphaned";
      error.detail = "its supervisor is dead, and processes of it run " + since +
                     "; `holdfast adopt " + session + "` takes them over, `holdfast stop " +
                     session + "` ends them";
      break;
    case PendingFate::kOrphanUnproven:
      error.code = ErrorCode::kCannotTell;
      error.cause = "step-orphaned";
      error.detail =
          "its supervisor is dead, and whether processes of it still run is not "
          "proven; `holdfast adopt " +
          session + "` takes it over, `holdfast stop " + session + "` ends it";
      break;
    case PendingFate::kUnknown:
      error.code = ErrorCode::kCannotTell;
      error.cause = "step-unknown";
      error.detail = "whether process " + std::to_string(look.by.pid) + ", which has it " + since +
                     ", still works on it cannot be told from here (" + look.evidence + ")";
      break;
    default:
      error.detail = "process " + std::to_string(look.by.pid) + " has it " + since +
                     "; `holdfast show " + session + "` tells more";
      break;
  }
  error.detail += "; nothing was started";
  return error;
}

}  // namespace holdfast::loop
