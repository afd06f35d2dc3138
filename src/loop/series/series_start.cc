// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_start.h"

#include "base/exit_code.h"
#include "format/session/outcome.h"
#include "format/text/rfc3339.h"
#include "lock/grant/by_token.h"
#include "loop/series/series_store.h"
#include "loop/step/step_decide.h"
#include "run/session/guard.h"

namespace holdfast::loop {
namespace {

using SeriesStartKind = IterationFate::Kind;

class SeriesGuard final : public run::RunGuard {
 public:
  SeriesGuard(const LoopServices& services, lock::Lock& held, const run::RunOrder& order,
              const SeriesRecord& intended)
      : services_(services),
        held_(held),
        token_(held.grant()->token),
        label_(held.label()),
        order_(order),
        intended_(intended) {}

  Result<> admit(const std::optional<SessionRecord>& /*last*/) override {
    // In a child by fork the seat is the driver's, and its descriptor would keep the lock.
    if (run::guards_are_in_a_copy()) held_.leave();
    const lock::Place place =
        HF_TRY(services_.run_locks.place_of({.kind = lock::LockId::Kind::kNamed, .text = label_}));
    const auto checked = lock::check_by_token(place, token_, services_.clock);
    if (!checked) return fail(checked.error());
    if (checked->answer != lock::TokenAnswer::kDone) {
      return not_wanted("series-lost", "another one drives the series by now");
    }
    auto record = read_series(services_.sessions, *order_.name);
    if (!record) return fail(record.error());
    if (!*record) *record = intended_;
    if (!(*record)->pending || (*record)->pending->run != order_.run) {
      return not_wanted("intent-gone", "nobody intends it any more");
    }
    (*record)->pending->begun = true;
    return write_series(services_.sessions, **record);
  }
  void reserved(const SessionRecord& /*record*/) override {}
  void finished(const SessionRecord& /*record*/) override {}

 private:
  [[nodiscard]] std::unexpected<Error> not_wanted(std::string_view cause,
                                                  std::string_view why) const {
    return fail({.code = ErrorCode::kRefused,
                 .op = "start an iteration of",
                 .subject = "'" + *order_.name + "'",
                 .cause = std::string(cause),
                 .detail = std::string(why) + "; nothing was started"});
  }

  const LoopServices& services_;
  lock::Lock& held_;
  Id128 token_;
  std::string label_;
  const run::RunOrder& order_;
  const SeriesRecord& intended_;
};

Error unclear(ErrorCode code, const std::string& name, std::string_view cause,
              const std::string& why) {
  return {.code = code,
          .op = "go on with the series of",
          .subject = "'" + name + "'",
          .cause = std::string(cause),
          .detail = why + "; nothing was started"};
}

SeriesEnd end_of_iteration(const SeriesPending& pending, const session::SessionView& view) {
  const SessionRecord& record = view.record;
  SeriesEnd end{.n = pending.n, .run = pending.run};
  end.began = record.started ? record.started : record.created;
  end.ended = record.ended;
  end.state = view.state;  // what is true now: `lost` is not always written down
  const bool seen = view.state != SessionState::kLost;
  if (seen) end.exit_code = record.exit_code;
  if (seen) end.signal = record.signal;
  const auto answer = outcome_of(view.state, record);
  end.code = answer ? answer->code : to_int(ExitCode::kCannotTell);
  // Of one that is lost nobody knows whether it had come to its end before.
  end.asked = seen && record.asked && record.verified != true;
  return end;
}

// Its supervisor failed or died before it let the command go. What is its command's own fault (not
// found, not executable) is an end like any other.
bool never_came_to_its_command(const session::SessionView& view) {
  SessionRecord record = view.record;
  record.state = view.state;
  return !was_tried(record);
}

IterationFate fate_of_trace(const std::string& name, const SeriesPending& pending,
                            const ActTrace& found) {
  using session::Trace;
  const std::string which = "iteration " + std::to_string(pending.n);
  const std::string quoted = "'" + name + "'";
  const auto& view = found.trace.view;
  switch (found.trace.kind) {
    case Trace::Kind::kOver:
      if (never_came_to_its_command(*view)) return {.kind = SeriesStartKind::kNever};
      return {.kind = SeriesStartKind::kEnded, .end = end_of_iteration(pending, *view)};
    case Trace::Kind::kUnder:
      return {.kind = SeriesStartKind::kUnderWay,
              .why = unclear(ErrorCode::kBusy, name, "series-under-way",
                             which + " is under way (process " +
                                 std::to_string(view->record.supervisor.pid) + ", since " +
                                 format_rfc3339(pending.since) +
                                 "), and whoever drove it is gone; --wait D waits for its end")};
    case Trace::Kind::kOrphaned:
      return {.why =
                  unclear(ErrorCode::kCannotTell, name, "series-orphaned",
                          which +
                              " has lost its supervisor, and something of it may run; "
                              "`holdfast adopt " +
                              quoted + "` takes it over, `holdfast stop " + quoted + "` ends it")};
    case Trace::Kind::kUnknown:
      return {.why = unclear(ErrorCode::kCannotTell, name, "series-unknown",
                             "whether " + which + " is over cannot be told from here (" +
                                 view->evidence + ")")};
    case Trace::Kind::kNone:
      break;
  }
  if (!found.never_began) {
    return {.why = unclear(ErrorCode::kBusy, name, "session-live",
                           "somebody else runs the session; whether " + which +
                               " took place cannot be told before that is over")};
  }
  if (!pending.begun) return {.kind = SeriesStartKind::kNever};
  SeriesEnd end{.n = pending.n, .run = pending.run, .began = pending.since};
  end.code = to_int(ExitCode::kCannotTell);
  return {.kind = SeriesStartKind::kEnded, .end = end};
}

}  // namespace

Result<run::Started> start_iteration(const LoopServices& services, lock::Lock& held,
                                     const run::RunOrder& order, const SeriesRecord& intended) {
  SeriesGuard guard(services, held, order, intended);
  const run::Services run_services{.clock = services.clock,
                                   .events = services.run_events,
                                   .sessions = &services.sessions,
                                   .locks = &services.run_locks,
                                   .chain = services.chain,
                                   .guard = &guard};
  return run::start_run(run_services, order);
}

Result<IterationFate> fate_of_iteration(const LoopServices& services, const std::string& name,
                                        const SeriesPending& pending) {
  const auto found = look_for(services, {.run = pending.run, .session = name});
  if (!found) return fail(found.error());
  // The supervisor may have written `begun` since the caller read the intent.
  if (found->trace.kind == session::Trace::Kind::kNone && found->never_began && !pending.begun) {
    const auto now = read_series(services.sessions, name);
    if (!now) return fail(now.error());
    if (*now && (*now)->pending && (*now)->pending->run == pending.run) {
      return fate_of_trace(name, *(*now)->pending, *found);
    }
  }
  return fate_of_trace(name, pending, *found);
}

}  // namespace holdfast::loop
