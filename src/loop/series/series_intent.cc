// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_intent.h"

#include "base/exit_code.h"
#include "format/session/outcome.h"
#include "format/text/rfc3339.h"
#include "loop/series/series_store.h"

namespace holdfast::loop {
namespace {

using SeriesFateKind = IterationFate::Kind;

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

SeriesEnd lost_iteration(const SeriesPending& pending) {
  SeriesEnd end{.n = pending.n, .run = pending.run, .began = pending.since};
  end.code = to_int(ExitCode::kCannotTell);
  return end;
}

IterationFate iteration_fate(const std::string& name, const SeriesPending& pending,
                             const IntentFinding& found) {
  const std::string which = "iteration " + std::to_string(pending.n);
  const std::string quoted = "'" + name + "'";
  switch (found.fate) {
    case IntentFate::kOver:
      if (!was_tried(*found.view)) return {.kind = SeriesFateKind::kNever};
      return {.kind = SeriesFateKind::kEnded, .end = end_of_iteration(pending, *found.view)};
    case IntentFate::kGone:
      return {.kind = SeriesFateKind::kEnded, .end = lost_iteration(pending)};
    case IntentFate::kNone:
    case IntentFate::kNever:
      return {.kind = SeriesFateKind::kNever};
    case IntentFate::kLive:
      return {.kind = SeriesFateKind::kUnderWay,
              .why = unclear(ErrorCode::kBusy, name, "series-under-way",
                             which + " is under way (process " +
                                 std::to_string(found.view->record.supervisor.pid) + ", since " +
                                 format_rfc3339(pending.since) +
                                 "), and whoever drove it is gone; --wait D waits for its end")};
    case IntentFate::kOrphanLives:
    case IntentFate::kOrphanUnproven:
      return {.why =
                  unclear(ErrorCode::kCannotTell, name, "series-orphaned",
                          which +
                              " has lost its supervisor, and something of it may run; "
                              "`holdfast adopt " +
                              quoted + "` takes it over, `holdfast stop " + quoted + "` ends it")};
    case IntentFate::kUnknown:
      return {.why = unclear(ErrorCode::kCannotTell, name, "series-unknown",
                             "whether " + which + " is over cannot be told from here (" +
                                 found.view->evidence + ")")};
    case IntentFate::kNameTaken:
      return {.why = unclear(ErrorCode::kBusy, name, "session-live",
                             "somebody else runs the session; whether " + which +
                                 " took place cannot be told before that is over")};
  }
  __builtin_unreachable();
}

}  // namespace

// Copies of its descriptors would keep its lock, and that of the journal if it is killed.
Result<> SeriesIntent::leave_driver() {
  held_.leave();
  if (services_.let_go) services_.let_go();
  return {};
}

Error SeriesIntent::driver_lost() const {
  return not_wanted("series-lost", "another one drives the series by now");
}

Result<> SeriesIntent::admit(const Id128& run) {
  auto record = HF_TRY(read_series(services_.sessions, intended_.name));
  if (!record) record = intended_;
  if (!record->pending || record->pending->run != run) {
    return fail(not_wanted("intent-gone", "nobody intends it any more"));
  }
  record->pending->begun = true;
  return write_series(services_.sessions, *record);
}

void SeriesIntent::withdraw(const Id128& run) {
  auto record = read_series(services_.sessions, intended_.name);
  if (!record || !*record || !(*record)->pending || (*record)->pending->run != run) return;
  (*record)->pending->begun = false;
  const auto written = write_series(services_.sessions, **record);
  static_cast<void>(written);
}

Result<bool> SeriesIntent::has_begun(const Id128& run) {
  const auto record = HF_TRY(read_series(services_.sessions, intended_.name));
  return record && record->pending && record->pending->run == run && record->pending->begun;
}

Error SeriesIntent::not_wanted(std::string_view cause, std::string_view why) const {
  return {.code = ErrorCode::kRefused,
          .op = "start an iteration of",
          .subject = "'" + intended_.name + "'",
          .cause = std::string(cause),
          .detail = std::string(why) + "; nothing was started"};
}

Result<IterationFate> fate_of_iteration(const LoopServices& services, lock::Lock& held,
                                        const SeriesRecord& record) {
  SeriesIntent store(services, held, record);
  const SeriesPending& pending = *record.pending;
  const IntentFinding found = HF_TRY(find_out(
      services, {.run = pending.run, .session = record.name, .begun = pending.begun}, store));
  return iteration_fate(record.name, pending, found);
}

}  // namespace holdfast::loop
