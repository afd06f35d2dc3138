// SPDX-License-Identifier: Apache-2.0
#include "loop/series/log_follower.h"

#include <array>
#include <utility>

#include "base/budget.h"
#include "base/cause.h"
#include "loop/series/session_series.h"
#include "os/watch/boot_timer.h"
#include "os/watch/poll.h"
#include "session/record/view.h"
#include "session/record/watch.h"

namespace holdfast::loop {

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
  LogFollower(runtime::Runtime& runtime, Reporter& reporter, const SessionDir& dir,
              const FollowRequest& request, LogSink& sink)
      : reporter_(reporter),
        sink_(sink),
        dir_(dir),
        tail_(request.tail),
        until_(request.until),
        number_(request.run),
        clock_(runtime.clock()),
        series_(runtime, dir) {}

  Result<FollowEnd> run() {
    // Asked before the first write: one that leaves right behind it would look like a file.
    const os::Handle* const gone = sink_.reader_gone();
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
      SeriesStatus series;
      if (is_complete(view, number_)) {
        series = HF_TRY(status(view));
        if (HF_TRY(next_run(view, series))) continue;
        if (series.kind != SeriesStatus::Kind::kGoesOn) return finish(view);
      }
      if (allowed && clock_.boot() - begun >= *allowed) return fail(too_long());
      if (!watch.polls().empty() && !std::exchange(said, true)) {
        reporter_.note("the kernel cannot tell of changes here (" + watch.polls() +
                       "); looking each second");
      }
      const std::array<const os::Handle*, 2> also{gone, &timer.handle()};
      HF_TRY(wait_for_change(watch, series, also));
      if (gone != nullptr && HF_TRY(os::is_readable(*gone))) return FollowEnd::kReaderGone;
    }
  }

 private:
  Result<> print() {
    if (!log_) log_ = HF_TRY(LogReader::open(dir_, number_));
    if (!log_) return {};
    const bool first = !std::exchange(begun_, true);
    if (first && tail_) HF_TRY(log_->skip_to_last_lines(*tail_));
    return sink_.show(*log_);
  }

  Result<SeriesStatus> status(const std::optional<SessionView>& view) {
    if (until_ == FollowUntil::kRunEnds) return SeriesStatus{};
    return series_.look(view ? std::optional(view->record.run) : std::nullopt);
  }

  // Goes to the next run of the series that is still kept, if there is one.
  Result<bool> next_run(const std::optional<SessionView>& view, const SeriesStatus& series) {
    if (!view || !series.record) return false;
    for (std::uint64_t next = number_ + 1; next <= view->record.number; ++next) {
      std::optional<SessionRecord> record = view->record;
      if (next != view->record.number) record = HF_TRY(dir_.read_run(next));
      if (!record) continue;
      if (!belongs_to(*series.record, record->run)) return false;
      tell_overtaken();
      number_ = next;
      log_.reset();
      return true;
    }
    return false;
  }

  void tell_overtaken() {
    if (!log_ || !log_->overtaken()) return;
    reporter_.warn("the log grew faster than it was read; a part is missing");
  }

  void tell_lost(const SessionRecord& record) {
    const std::string text = session::lost_log_text(record);
    if (!text.empty()) reporter_.warn(text);
  }

  [[nodiscard]] Error too_long() const {
    return {.code = ErrorCode::kBusy,
            .op = "follow the log of",
            .subject = "'" + dir_.name() + "'",
            .cause = cause::kBudget,
            .detail = "the time of --budget passed; it has not ended"};
  }

  Result<FollowEnd> finish(const std::optional<SessionView>& view) {
    if (!begun_) return fail(no_log(dir_));
    HF_TRY(sink_.finish());
    tell_overtaken();
    if (view && view->state == SessionState::kOrphaned) {
      reporter_.warn("its supervisor is gone; what it prints now is not kept");
    }
    if (view && view->record.number == number_) tell_lost(view->record);
    return FollowEnd::kOver;
  }

  Reporter& reporter_;
  LogSink& sink_;
  const SessionDir& dir_;
  std::optional<std::uint64_t> tail_;
  FollowUntil until_;
  std::uint64_t number_;
  const Clock& clock_;
  SessionSeries series_;
  std::optional<LogReader> log_;
  bool begun_ = false;  // a log was found
};

}  // namespace

Result<FollowEnd> follow_log(runtime::Runtime& runtime, Reporter& reporter, const SessionDir& dir,
                             const FollowRequest& request, LogSink& sink) {
  return LogFollower(runtime, reporter, dir, request, sink).run();
}

}  // namespace holdfast::loop
