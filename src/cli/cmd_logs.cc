// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/budget.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/session_facts.h"
#include "cli/session_found.h"
#include "cli/session_log.h"
#include "cli/session_run.h"
#include "cli/session_series.h"
#include "os/boot_timer.h"
#include "os/poll.h"
#include "os/real_clock.h"
#include "session/look.h"
#include "session/watch.h"

namespace holdfast::cli {
namespace {

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

// Will nothing be added to the log of run `number` any more? Nobody writes what an orphan prints.
bool is_complete(const std::optional<SessionView>& view, std::uint64_t number) {
  if (!view || view->record.number != number || is_final(view->state)) return true;
  return view->known && view->state == SessionState::kOrphaned;
}

Result<std::optional<LogReader>> open_log(const SessionDir& dir, std::uint64_t number,
                                          const Args& args) {
  auto log = HF_TRY(LogReader::open(dir, number));
  const auto tail = args.integer("tail");
  if (log && tail) HF_TRY(log->skip_to_last_lines(*tail));
  return log;
}

// Follows one run after the other of a series, or one run.
class LogFollower {
 public:
  enum class Until : std::uint8_t { kRunEnds, kSeriesEnds };

  LogFollower(Context& context, const Args& args, const SessionDir& dir, std::uint64_t number,
              Until until)
      : context_(context),
        args_(args),
        dir_(dir),
        number_(number),
        until_(until),
        series_(context, dir, clock_),
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
    const auto tail = args_.integer("tail");
    if (tail && !std::exchange(begun_, true)) HF_TRY(log_->skip_to_last_lines(*tail));
    begun_ = true;
    return printer_.print_all(*log_, LogPrinter::Go::kOn);
  }

  Result<loop::SeriesStatus> status(const std::optional<SessionView>& view) {
    if (until_ == Until::kRunEnds) return loop::SeriesStatus{};
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
  const Args& args_;
  const SessionDir& dir_;
  std::uint64_t number_;
  Until until_;
  os::RealClock clock_;
  SessionSeries series_;
  LogPrinter printer_;
  std::optional<LogReader> log_;
  bool begun_ = false;  // a log was found
};

Result<int> run_logs(Context& context, const Args& args) {
  const SessionDir dir = HF_TRY(find_session(context, args.arguments().front()));
  const ChosenRun chosen = HF_TRY(choose_run(dir, args.integer("run")));
  const std::uint64_t number = chosen.view.record.number;
  context.begin_stream();
  if (args.flag("follow")) {
    using Until = LogFollower::Until;
    const Until until = args.integer("run") ? Until::kRunEnds : Until::kSeriesEnds;
    return LogFollower(context, args, dir, number, until).run();
  }
  auto log = HF_TRY(open_log(dir, number, args));
  if (!log) {
    // The log is made behind the record, and the run may wait for its locks before: what it has
    // printed so far is nothing.
    const bool begins = chosen.view.record.order.log && !is_complete(chosen.view, number);
    return begins ? Result<int>(to_int(ExitCode::kDone)) : fail(no_log(dir));
  }
  LogPrinter printer(context);
  HF_TRY(printer.print_all(*log, LogPrinter::Go::kToTheEnd));
  HF_TRY(printer.finish());
  warn_of_lost_log(context, chosen.view.record);
  return to_int(ExitCode::kDone);
}

constexpr std::array kLogsOptions{
    OptionSpec{
        .name = "follow", .letter = 'f', .help = "go on as it grows, until the session has ended"},
    OptionSpec{.name = "tail",
               .letter = 'n',
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "begin with the last N lines"},
    kRunOption,
};
constexpr std::array kLogsArguments{kSessionArgument};

constexpr std::array kLogsExamples{
    Example{.line = "holdfast logs fix-160", .says = "All that it has printed, as it printed it"},
    Example{.line = "holdfast logs -f --tail 20 fix-160",
            .says = "Its last lines, and then what comes, until it has ended"},
    Example{.line = "holdfast logs --run 3 fix-160", .says = "What its third run printed"},
};

constexpr std::array kLogsExits{
    ExitNote{ExitCode::kDone, "shown; with -f, the session has ended"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged"},
    ExitNote{ExitCode::kNo, "there is no such session or run, or it kept no log"},
    ExitNote{ExitCode::kIo, "the reader of the output went away"},
    ExitNote{ExitCode::kBusy, "the time of --budget passed before the end"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its log is unsafe"},
};

constexpr std::array kLogsFields{
    JsonField{"line", "one object for each line; bytes that are not UTF-8 become U+FFFD"},
};

}  // namespace

constinit const CommandSpec kLogsCommand{
    .name = "logs",
    .summary = "show what a session printed",
    .description =
        "Prints the log of a session byte for byte: stdout and stderr in the order in which they "
        "came, the older part first. When a log reaches its limit the older part is dropped, so a "
        "long one may begin in the middle.\n\n"
        "With -f it goes on through rotations until the session has ended, and sleeps in between. "
        "Of a "
        "session that `run --iterations` drives it prints one iteration after the other, until the "
        "series has ended; with --run it ends with that run. "
        "The output of an orphan is not kept; -f ends there, and says so.",
    .options = kLogsOptions,
    .arguments = kLogsArguments,
    .examples = kLogsExamples,
    .exits = kLogsExits,
    .json_fields = kLogsFields,
    .run = run_logs,
};

}  // namespace holdfast::cli
