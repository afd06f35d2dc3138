// SPDX-License-Identifier: Apache-2.0
#include "loop/series/wait_session.h"

#include <array>

#include "loop/series/session_series.h"
#include "os/watch/boot_timer.h"
#include "session/record/view.h"
#include "session/record/watch.h"

namespace holdfast::loop {
namespace {

// What is seen of a session at a time.
struct WaitSeen {
  std::optional<session::SessionView> view{};
  SeriesStatus series{};
  bool forgotten = false;  // the run that is waited for is on record no more
};

// Who waits may not be scheduled while the run ends and the next one of the name begins. So what is
// waited for is a run, and not a name: `run`, once it is known, is looked for among the earlier
// ones too.
Result<WaitSeen> wait_find(const session::SessionDir& dir, const std::optional<Id128>& run) {
  WaitSeen seen{.view = HF_TRY(session::look(dir))};
  if (!run || (seen.view && seen.view->record.run == *run)) return seen;
  session::Trace trace = HF_TRY(session::trace_in(dir, *run));
  seen.forgotten = trace.kind == session::Trace::Kind::kNone;
  if (trace.view) seen.view = std::move(trace.view);
  return seen;
}

// The series after the session: one that begins its first iteration in between is not missed.
Result<WaitSeen> wait_see(const session::SessionDir& dir, SessionSeries& series,
                          const std::optional<Id128>& wanted_run) {
  WaitSeen seen = HF_TRY(wait_find(dir, wanted_run));
  if (seen.forgotten) return seen;
  const auto run = [&] { return seen.view ? std::optional(seen.view->record.run) : std::nullopt; };
  seen.series = HF_TRY(series.look(run()));
  if (!seen.view && seen.series.kind == SeriesStatus::Kind::kNone) {
    return fail(session::no_such_session(dir.name()));
  }
  // Its last iteration may have ended since.
  if (seen.series.kind == SeriesStatus::Kind::kOver) {
    if (auto now = HF_TRY(session::look(dir)); now && now->record.run == run()) seen.view = now;
  }
  return seen;
}

WaitReply wait_too_late(const session::SessionDir& dir, const WaitSeen& seen,
                        const Allowed& allowed) {
  const std::string whose = allowed.by_budget ? "budget" : "timeout";
  std::string state = seen.view ? session::state_word(*seen.view) : "not started yet";
  if (seen.series.kind == SeriesStatus::Kind::kGoesOn) state += ", and its series goes on";
  return wait_refusal(ErrorCode::kBusy, dir.name(), whose,
                      "the time of --" + whose + " passed; it is " + state);
}

WaitReply wait_forgotten(const session::SessionDir& dir) {
  return wait_refusal(ErrorCode::kCannotTell, dir.name(), "run-forgotten",
                      "the run that was waited for is over, later ones have begun, and its record "
                      "is not kept any more; how it ended cannot be known");
}

}  // namespace

Result<Waited> wait_for_session(runtime::Runtime& runtime, Reporter& reporter,
                                const session::SessionDir& dir, std::optional<SessionState> wanted,
                                const Allowed& allowed) {
  const Clock& clock = runtime.clock();
  const BootTime begun = clock.boot();
  const std::optional<Duration> timeout = allowed.time;
  os::BootTimer timer = HF_TRY(os::BootTimer::create());
  if (timeout) HF_TRY(timer.set(begun + *timeout));
  session::Watch watch = session::Watch::open(dir);
  SessionSeries series(runtime, dir);
  std::string said;
  std::optional<Id128> run;  // of a run that is no part of a series
  for (;;) {
    if (const auto record = HF_TRY(dir.read())) watch.follow(*record);
    const WaitSeen seen = HF_TRY(wait_see(dir, series, run));
    if (seen.forgotten) return Waited{.reply = wait_forgotten(dir), .view = {}};
    if (seen.view && seen.series.kind == SeriesStatus::Kind::kNone) run = seen.view->record.run;
    auto reply = wait_reply(seen.view, seen.series, wanted);
    const bool late = timeout && clock.boot() - begun >= *timeout;
    if (!reply && late) reply = wait_too_late(dir, seen, allowed);
    if (reply) return Waited{.reply = *std::move(reply), .view = seen.view};
    if (!watch.polls().empty() && said != watch.polls()) {
      said = watch.polls();
      reporter.note("the kernel cannot tell of all changes from here (" + said +
                    "); looking each second");
    }
    const std::array<const os::Handle*, 1> also{&timer.handle()};
    HF_TRY(wait_for_change(watch, seen.series, also));
  }
}

}  // namespace holdfast::loop
