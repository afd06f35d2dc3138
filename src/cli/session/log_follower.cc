// SPDX-License-Identifier: Apache-2.0
#include "cli/session/log_follower.h"

#include <array>
#include <utility>

#include "base/budget.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_log.h"
#include "cli/session/session_series.h"
#include "os/watch/boot_timer.h"
#include "os/watch/poll.h"
#include "session/record/look.h"
#include "session/record/watch.h"

namespace holdfast::cli {

using session::LogReader;
using session::SessionDir;
using session::SessionView;

Error no_log(const SessionDir& dir) {
  return {.code = ErrorCode::kNotFound,
          .op = "read the log of",
          .subject = "'" + dir.name() + "'",
          .cause = "no-log",
          .detail = "this run keeps or kept none"};
}

bool is_complete(const std::optional<SessionView>& view, std::uint64_t number) {
  if (!view || view->record.number != number || is_final(view->state)) return true;
  return view->known && view->state == SessionState::kOrphaned;
}

namespace {

// Follows one run after the other of a series, or one run.
class LogFollower {
 public:
  LogFollower(Context& context, const SessionDir& dir, const FollowOrder& order)
      : context_(context),
        dir_(dir),
        tail_(order.tail),
        until_(order.until),
        number_(order.run),
        clock_(context.runtime().clock()),
        series_(context.runtime(), dir),
        printer_(context) {}

  Result<int> run() {
    // Asked before the first write: one that leaves right behind it would look like a file.
    const os::Handle* const gone = context_.reader_gone();
    session::Watch watch = session::Watch::open(dir_);
    os::BootTimer timer = HF_TRY(os::BootTimer::create());
    const auto allowed = within_budget(std::nullopt, clock_.mono()).time;
    const BootTime begun = clock_.boot();
    if (allowed) HF_TRY(timer.set(begun + *allowed));
    bool said = false;
    for (;;) {
      if (const auto record = HF_TRY(dir_.read())) watch.follow(*record);
      // Before the log is read: what is complete now is so when it has been read.
      const auto view = HF_TRY(session::look(dir_));
      HF_TRY(print());
      loop::SeriesStatus series;
      if (is_complete(view, number_)) {
        series = HF_TRY(status(view));
        if (HF_TRY(next_run(view, series))) continue;
        if (series.kind != loop::SeriesStatus::Kind::kGoesOn) return finish(view);
      }
      if (allowed && clock_.boot() - begun >= *allowed) return fail(too_long());
      if (!watch.polls().empty() && !std::exchange(said, true)) {
        context_.note("the kernel cannot tell of changes here (" + watch.polls() +
                      "); looking each second");
      }
      const std::array<const os::Handle*, 2> also{gone, &timer.handle()};
      HF_TRY(wait_for_change(watch, series, also));
      if (gone != nullptr && HF_TRY(os::is_readable(*gone))) return to_int(ExitCode::kIo);
    }
  }

 private:
  Result<> print() {
    if (!log_) log_ = HF_TRY(LogReader::open(dir_, number_));
    if (!log_) return {};
    const bool first = !std::exchange(begun_, true);
    if (first && tail_) HF_TRY(log_->skip_to_last_lines(*tail_));
    return printer_.print_all(*log_, LogPrinter::Go::kOn);
  }

  Result<loop::SeriesStatus> status(const std::optional<SessionView>& view) {
    if (until_ == FollowUntil::kRunEnds) return loop::SeriesStatus{};
    return series_.look(view ? std::optional(view->record.run) : std::nullopt);
  }

  // Goes to the next run of the series that is still kept, if there is one.
  Result<bool> next_run(const std::optional<SessionView>& view, const loop::SeriesStatus& series) {
    if (!view || !series.record) return false;
    for (std::uint64_t next = number_ + 1; next <= view->record.number; ++next) {
      std::optional<SessionRecord> record = view->record;
      if (next != view->record.number) record = HF_TRY(dir_.read_run(next));
      if (!record) continue;
      if (!loop::belongs_to(*series.record, record->run)) return false;
      tell_overtaken();
      number_ = next;
      log_.reset();
      return true;
    }
    return false;
  }

  void tell_overtaken() {
    if (!log_ || !log_->overtaken()) return;
    context_.warn("the log grew faster than it was read; a part is missing");
  }

  [[nodiscard]] Error too_long() const {
    return {.code = ErrorCode::kBusy,
            .op = "follow the log of",
            .subject = "'" + dir_.name() + "'",
            .cause = "budget",
            .detail = "the time of --budget passed; it has not ended"};
  }

  Result<int> finish(const std::optional<SessionView>& view) {
    if (!begun_) return fail(no_log(dir_));
    HF_TRY(printer_.finish());
    tell_overtaken();
    if (view && view->state == SessionState::kOrphaned) {
      context_.warn("its supervisor is gone; what it prints now is not kept");
    }
    if (view && view->record.number == number_) warn_of_lost_log(context_, view->record);
    return to_int(ExitCode::kDone);
  }

  Context& context_;
  const SessionDir& dir_;
  std::optional<std::uint64_t> tail_;
  FollowUntil until_;
  std::uint64_t number_;
  const Clock& clock_;
  SessionSeries series_;
  LogPrinter printer_;
  std::optional<LogReader> log_;
  bool begun_ = false;  // a log was found
};

}  // namespace

Result<int> follow_log(Context& context, const SessionDir& dir, const FollowOrder& order) {
  return LogFollower(context, dir, order).run();
}

}  // namespace holdfast::cli
