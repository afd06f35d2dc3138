// SPDX-License-Identifier: Apache-2.0
#include "loop/series/wait_session.h"

#include <algorithm>
#include <deque>

#include "loop/series/session_series.h"
#include "os/watch/boot_timer.h"
#include "os/watch/poll.h"
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

// The wait for one session. Its directory must outlive it.
class SessionWait {
 public:
  SessionWait(runtime::Runtime& runtime, const session::SessionDir& dir)
      : dir_(dir), watch_(session::Watch::open(dir)), series_(runtime, dir) {}

  // nullopt: it goes on.
  Result<std::optional<Waited>> look(std::optional<SessionState> wanted) {
    if (const auto record = HF_TRY(dir_.read())) watch_.follow(*record);
    seen_ = HF_TRY(wait_see(dir_, series_, run_));
    if (seen_.forgotten) return Waited{.reply = wait_forgotten(dir_), .view = {}};
    if (seen_.view && seen_.series.kind == SeriesStatus::Kind::kNone) {
      run_ = seen_.view->record.run;
    }
    auto reply = wait_reply(seen_.view, seen_.series, wanted);
    if (!reply) return std::nullopt;
    return Waited{.reply = *std::move(reply), .view = seen_.view};
  }

  [[nodiscard]] Waited too_late(const Allowed& allowed) const {
    return {.reply = wait_too_late(dir_, seen_, allowed), .view = seen_.view};
  }

  void add_handles(std::vector<const os::Handle*>& handles) const {
    watch_.add_handles(handles);
    if (goes_on() && seen_.series.driver.valid()) handles.push_back(&seen_.series.driver);
  }
  [[nodiscard]] bool polls() const {
    return !watch_.polls().empty() || (goes_on() && !seen_.series.driver.valid());
  }
  Result<> woken() { return watch_.woken(); }
  [[nodiscard]] const std::string& why_it_polls() const { return watch_.polls(); }

 private:
  [[nodiscard]] bool goes_on() const { return seen_.series.kind == SeriesStatus::Kind::kGoesOn; }

  const session::SessionDir& dir_;
  session::Watch watch_;
  SessionSeries series_;
  std::optional<Id128> run_;  // of a run that is no part of a series
  WaitSeen seen_;
};

// The waits for several, until enough of them are decided.
class SessionWaits {
 public:
  SessionWaits(runtime::Runtime& runtime, std::span<const session::SessionDir> dirs,
               std::optional<SessionState> wanted, WaitFor how)
      : clock_(runtime.clock()), wanted_(wanted), how_(how), replies_(dirs.size()) {
    for (const session::SessionDir& dir : dirs) waits_.emplace_back(runtime, dir);
  }

  Result<std::vector<std::optional<Waited>>> run(Reporter& reporter, const Allowed& allowed) {
    const BootTime begun = clock_.boot();
    os::BootTimer timer = HF_TRY(os::BootTimer::create());
    if (allowed.time) HF_TRY(timer.set(begun + *allowed.time));
    for (;;) {
      for (std::size_t i = 0; i < waits_.size(); ++i) {
        if (!replies_[i]) replies_[i] = HF_TRY(waits_[i].look(wanted_));
      }
      if (is_enough()) return std::move(replies_);
      if (allowed.time && clock_.boot() - begun >= *allowed.time) return late(allowed);
      HF_TRY(sleep(reporter, timer));
    }
  }

 private:
  [[nodiscard]] bool is_enough() const {
    const auto decided = [](const auto& reply) { return reply.has_value(); };
    if (std::ranges::all_of(replies_, decided)) return true;
    if (how_ == WaitFor::kAll) return false;
    return std::ranges::any_of(replies_, [&](const std::optional<Waited>& reply) {
      return reply && (!wanted_ || reply->reply.code == 0);
    });
  }

  std::vector<std::optional<Waited>> late(const Allowed& allowed) {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (!replies_[i]) replies_[i] = waits_[i].too_late(allowed);
    }
    return std::move(replies_);
  }

  Result<> sleep(Reporter& reporter, const os::BootTimer& timer) {
    std::vector<const os::Handle*> handles{&timer.handle()};
    std::optional<std::chrono::milliseconds> limit;
    std::string why;
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (replies_[i]) continue;
      waits_[i].add_handles(handles);
      if (waits_[i].polls()) limit = session::kLookAgain;
      if (why.empty()) why = waits_[i].why_it_polls();
    }
    if (!why.empty() && why != said_) {
      reporter.note("the kernel cannot tell of all changes from here (" + why +
                    "); looking each second");
      said_ = why;
    }
    HF_TRY(os::wait_readable(handles, limit));
    for (SessionWait& wait : waits_) HF_TRY(wait.woken());
    return {};
  }

  const Clock& clock_;
  std::optional<SessionState> wanted_;
  WaitFor how_;
  std::deque<SessionWait> waits_;
  std::vector<std::optional<Waited>> replies_;
  std::string said_;
};

}  // namespace

Result<std::vector<std::optional<Waited>>> wait_for_sessions(
    runtime::Runtime& runtime, Reporter& reporter, std::span<const session::SessionDir> dirs,
    std::optional<SessionState> wanted, WaitFor how, const Allowed& allowed) {
  return SessionWaits(runtime, dirs, wanted, how).run(reporter, allowed);
}

}  // namespace holdfast::loop
