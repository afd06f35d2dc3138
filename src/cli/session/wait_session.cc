// SPDX-License-Identifier: Apache-2.0
#include "cli/session/wait_session.h"

#include <array>

#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "cli/session/session_series.h"
#include "os/watch/boot_timer.h"
#include "session/record/look.h"
#include "session/record/watch.h"

namespace holdfast::cli {
namespace {

// What is seen of a session at a time.
struct WaitSeen {
  std::optional<session::SessionView> view{};
  loop::SeriesStatus series{};
};

// The series after the session: one that begins its first iteration in between is not missed.
Result<WaitSeen> wait_see(const session::SessionDir& dir, SessionSeries& series) {
  WaitSeen seen{.view = HF_TRY(session::look(dir))};
  const auto run = [&] { return seen.view ? std::optional(seen.view->record.run) : std::nullopt; };
  seen.series = HF_TRY(series.look(run()));
  if (!seen.view && seen.series.kind == loop::SeriesStatus::Kind::kNone) {
    return fail(no_such_session(dir.name()));
  }
  // Its last iteration may have ended since.
  if (seen.series.kind == loop::SeriesStatus::Kind::kOver) {
    if (auto now = HF_TRY(session::look(dir)); now && now->record.run == run()) seen.view = now;
  }
  return seen;
}

WaitReply wait_too_late(const session::SessionDir& dir, const WaitSeen& seen,
                        const Allowed& allowed) {
  const std::string whose = allowed.by_budget ? "budget" : "timeout";
  std::string state = seen.view ? state_word(*seen.view) : "not started yet";
  if (seen.series.kind == loop::SeriesStatus::Kind::kGoesOn) state += ", and its series goes on";
  return wait_refusal(ErrorCode::kBusy, dir.name(), whose,
                      "the time of --" + whose + " passed; it is " + state);
}

}  // namespace

Result<WaitReply> wait_for_session(Context& context, const session::SessionDir& dir,
                                   std::optional<SessionState> wanted, const Allowed& allowed,
                                   const Clock& clock) {
  const BootTime begun = clock.boot();
  const std::optional<Duration> timeout = allowed.time;
  os::BootTimer timer = HF_TRY(os::BootTimer::create());
  if (timeout) HF_TRY(timer.set(begun + *timeout));
  session::Watch watch = session::Watch::open(dir);
  SessionSeries series(context.runtime(), dir);
  std::string said;
  for (;;) {
    if (const auto record = HF_TRY(dir.read())) watch.follow(*record);
    const WaitSeen seen = HF_TRY(wait_see(dir, series));
    auto reply = wait_reply(seen.view, seen.series, wanted);
    const bool late = timeout && clock.boot() - begun >= *timeout;
    if (!reply && late) reply = wait_too_late(dir, seen, allowed);
    if (reply) {
      if (seen.view) {
        context.emit(session_json(facts_of(*seen.view, dir.dir(), clock)));
        warn_of_lost_log(context, seen.view->record);
      }
      return *std::move(reply);
    }
    if (!watch.polls().empty() && said != watch.polls()) {
      said = watch.polls();
      context.note("the kernel cannot tell of all changes from here (" + said +
                   "); looking each second");
    }
    const std::array<const os::Handle*, 1> also{&timer.handle()};
    HF_TRY(wait_for_change(watch, seen.series, also));
  }
}

}  // namespace holdfast::cli
