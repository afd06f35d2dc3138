// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series.h"

#include <algorithm>
#include <utility>

#include "base/cause.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "format/text/rfc3339.h"
#include "loop/intent/question.h"
#include "loop/series/series_intent.h"
#include "loop/series/series_store.h"
#include "loop/series/series_wait.h"
#include "loop/step/step_intent.h"
#include "os/machine/random.h"
#include "os/signal/signals.h"
#include "session/record/view.h"
#include "supervise/verdict.h"

namespace holdfast::loop {
namespace {

// The supervisor of a dead driver has its descriptor until it is let in (intent.h).
constexpr Duration kSeriesLockPatience = std::chrono::seconds(3);
// How often in a row a supervisor may be killed before it has begun anything.
constexpr int kMostVain = 3;
constexpr int kOfSignal = 128;
// Whoever waits for the lock of a series whose driver was killed while it asked waits for this, too.
constexpr Duration kQuestionGrace = std::chrono::seconds(1);

using FateKind = IterationFate::Kind;

Error series_busy(const std::string& name, const lock::HolderView& holder) {
  std::string who = "somebody else";
  if (holder.pid) who = "process " + std::to_string(*holder.pid);
  if (holder.since) who += " (since " + format_rfc3339(*holder.since) + ")";
  return {.code = ErrorCode::kBusy,
          .op = "run iterations of",
          .subject = "'" + name + "'",
          .cause = cause::kSeriesBusy,
          .detail = who + " does so already; nothing was started"};
}

std::string words_of(const std::vector<std::string>& command) {
  std::string words;
  for (const std::string& word : command) words += (words.empty() ? "" : " ") + word;
  return words;
}

Error other_command(const SeriesRecord& record) {
  return {.code = ErrorCode::kRefused,
          .op = "begin a series of",
          .subject = "'" + record.name + "'",
          .cause = "other-command",
          .detail = "one of another command is unfinished (" + std::to_string(record.done) +
                    " of " + std::to_string(record.iterations) + " done: `" +
                    words_of(record.command) + "` in " + record.directory +
                    "); --fresh leaves it behind; nothing was started"};
}

Goal goal_of(Answer answer) {
  if (answer == Answer::kCannotTell) return Goal::kCannotTell;
  return answer == Answer::kYes ? Goal::kReached : Goal::kNotYet;
}

std::string how_it_ended(const SeriesEnd& end) {
  std::string how(to_text(end.state));
  if (end.state == SessionState::kExited && end.exit_code) {
    how = "exited with " + std::to_string(*end.exit_code);
  }
  if (end.state == SessionState::kKilled && end.signal) {
    how = "killed by " + os::signal_name(*end.signal);
  }
  if (end.state == SessionState::kTimedOut) how = "timed out";
  if (end.state == SessionState::kLost) how = "lost: nobody saw how it ended";
  if (end.asked) how += ", as it was asked to";
  return how;
}

SeriesEnd end_of_report(const SeriesPending& pending, const supervise::RunReport& report) {
  const supervise::Verdict verdict = supervise::judge(report);
  SeriesEnd end{.n = pending.n, .run = pending.run, .began = report.started};
  end.ended = report.ended;
  end.state = verdict.state;
  end.exit_code = verdict.exit_code;
  end.signal = verdict.signal;
  end.code = verdict.code;
  end.asked = report.ended_by == supervise::EndedBy::kStop ||
              (report.asked && report.verified != supervise::Verified::kConfirmed);
  return end;
}

class Series {
 public:
  Series(const LoopServices& services, SeriesRequest request, SeriesListener& listener)
      : services_(services),
        request_(std::move(request)),
        listener_(listener),
        name_(*request_.run.name),
        own_environment_(request_.run.what.environment),
        iteration_timeout_(request_.run.what.timeout) {}

  Result<SeriesOutcome> run() {
    HF_TRY(take_lock());
    auto outcome = work();
    if (!outcome && ran_) outcome = broken_off(outcome.error());
    if (outcome) tell("series.ended", to_text(outcome->reason));
    if (outcome && outcome->record.over && is_over(outcome->reason)) {
      outcome->held = std::move(lock_);
      return outcome;
    }
    const auto released = lock_->release();
    static_cast<void>(released);  // nobody but us could have it
    return outcome;
  }

 private:
  using Stop = std::optional<SeriesOutcome>;  // nullopt: on with it

  Result<SeriesOutcome> work() {
    if (Stop stop = HF_TRY(pick_up())) return *std::move(stop);
    if (Stop stop = HF_TRY(first_mark())) return *std::move(stop);
    for (bool first = true;; first = false) {
      if (Stop stop = HF_TRY(judge())) return *std::move(stop);
      if (!first) {
        if (Stop stop = HF_TRY(pause())) return *std::move(stop);
      }
      if (Stop stop = HF_TRY(iterate())) return *std::move(stop);
    }
  }

  Result<> take_lock() {
    lock_ = HF_TRY(
        services_.locks.open({.kind = lock::LockId::Kind::kNamed, .text = series_lock_of(name_)}));
    lock::AcquireRequest request;
    request.command = request_.run.what.command.front();
    request.chain = services_.chain;
    lock::AcquireOutcome outcome = HF_TRY(lock_->acquire(request));
    if (outcome.kind == lock::AcquireOutcome::Kind::kGranted) return {};
    if (!request_.wait) ahead_ = series_busy(name_, outcome.holder);
    request.wait = std::max(kSeriesLockPatience, request_.wait.value_or(Duration::zero()));
    outcome = HF_TRY(lock_->acquire(request));
    if (outcome.kind == lock::AcquireOutcome::Kind::kGranted) return {};
    return fail(series_busy(name_, outcome.holder));
  }

  // --- the beginning

  Result<Stop> pick_up() {
    auto found = HF_TRY(find_record());
    // Its driver was alive when we came, has brought it to its end and told that.
    if (ahead_ && found && found->over && found->answered) return fail(*ahead_);
    const SessionOrder& what = request_.run.what;
    const bool same = found && found->command == what.command && found->directory == what.directory;
    if (found && !found->over && !request_.fresh && !same) return fail(other_command(*found));
    if (same && found->over && !found->answered && !request_.fresh) {
      record_ = *std::move(found);
      return Stop(untold());
    }
    if (found) record_ = *std::move(found);
    if (record_.pending) {
      if (Stop stop = HF_TRY(settle_pending())) return stop;
    }
    const bool goes_on = !record_.name.empty() && !record_.over && !request_.fresh;
    if (!goes_on) {
      record_ = SeriesRecord{.name = name_};
      record_.since = HF_TRY(moment_now(services_.clock));
      record_.command = what.command;
      record_.directory = what.directory;
    }
    record_.iterations = request_.limits.iterations;
    HF_TRY(save());
    if (goes_on && record_.done > 0) {
      listener_.say("going on with the series of '" + name_ + "' after iteration " +
                    std::to_string(record_.done));
    }
    if (!goes_on) tell("series.began", "");
    return Stop();
  }

  // What runs meanwhile under a damaged record has the session's name, and is in our way by that.
  Result<std::optional<SeriesRecord>> find_record() {
    auto found = read_series(services_.sessions, name_);
    const bool damaged = !found && found.error().code == ErrorCode::kCorrupt;
    if (!damaged) return found;
    if (!request_.fresh) {
      Error error = found.error();
      error.detail += "; --fresh moves it aside and begins anew";
      return fail(std::move(error));
    }
    const std::string aside =
        HF_TRY(move_series_aside(services_.sessions, name_, services_.clock.wall()));
    listener_.warn("the record of the series is damaged; it was moved aside, to " + aside);
    return std::optional<SeriesRecord>();
  }

  // What an earlier driver intended. Errors: it is not over, or nobody can tell.
  Result<Stop> settle_pending() {
    const BootTime patience =
        after(services_.clock.boot(), request_.wait.value_or(Duration::zero()));
    IterationFate fate = HF_TRY(fate_of_iteration(services_, *lock_, record_));
    const bool waited = fate.kind == FateKind::kUnderWay;
    while (fate.kind == FateKind::kUnderWay && services_.clock.boot() < patience) {
      const auto dir = HF_TRY(services_.sessions.find(name_));
      if (!dir) break;
      const auto asked = HF_TRY(wait_for_change(services_.clock, *dir, patience));
      if (asked) return Stop(interrupted(*asked));
      fate = HF_TRY(fate_of_iteration(services_, *lock_, record_));
    }
    if (fate.why) return fail(*std::move(fate.why));
    if (request_.fresh) return Stop();
    if (fate.kind == FateKind::kEnded) {
      if (Stop stop = HF_TRY(count(fate.end))) return stop;
      // Whoever stops the iteration that we wait for stops the series.
      return waited && fate.end.asked ? Stop(interrupted(os::kSignalTerm)) : Stop();
    }
    record_.pending.reset();  // the same one again
    return Stop();
  }

  Result<Stop> first_mark() {
    if (!request_.progress || record_.mark) return Stop();
    const MarkAnswer answer = mark();
    if (answer.interrupted) return Stop(interrupted(*answer.interrupted));
    if (!answer.mark) listener_.warn("the progress cannot be told: " + answer.why);
    record_.mark = answer.mark;
    HF_TRY(save());
    return Stop();
  }

  // --- between two iterations

  Result<Stop> judge() {
    if (HF_TRY(left()) <= Duration::zero()) return finish(SeriesReason::kDeadline, {});
    Answered answered;
    if (request_.until) answered = reached();
    if (answered.interrupted) return Stop(interrupted(*answered.interrupted));
    const Goal goal = request_.until ? goal_of(answered.answer) : Goal::kNone;
    if (goal == Goal::kCannotTell && HF_TRY(left()) <= Duration::zero()) {
      return finish(SeriesReason::kDeadline, {});
    }
    const auto reason = decide_series(record_, request_.limits, goal);
    if (!reason) return Stop();
    std::optional<Error> why;
    if (reason == SeriesReason::kCannotTell) {
      why = Error{.code = ErrorCode::kCannotTell,
                  .op = "tell whether the goal is reached of",
                  .subject = "'" + name_ + "'",
                  .cause = "goal-unknown",
                  .detail = "`" + *request_.until + "`: " + answered.why +
                            "; no further iteration was started; the same command goes on"};
    }
    return finish(*reason, std::move(why));
  }

  Result<Stop> pause() {
    if (request_.pause <= Duration::zero()) return Stop();
    const Duration length = std::min(request_.pause, HF_TRY(left()));
    const auto asked = HF_TRY(pause_until(services_.clock, after(services_.clock.boot(), length)));
    if (asked) return Stop(interrupted(*asked));
    if (HF_TRY(left()) <= Duration::zero()) return finish(SeriesReason::kDeadline, {});
    return Stop();
  }

  // --- one iteration

  Result<Stop> iterate() {
    for (int vain = 0;; ++vain) {
      auto fate = HF_TRY(run_iteration());
      if (fate.kind == FateKind::kEnded) {
        const bool asked = fate.end.asked || (last_ && last_->asked_to_end.has_value());
        fate.end.asked = asked && fate.end.state != SessionState::kLost;
        if (Stop stop = HF_TRY(count(fate.end))) return stop;
        return asked ? Stop(interrupted_by_run(fate.end)) : Stop();
      }
      if (fate.kind != FateKind::kNever) return Stop(unclear(std::move(fate)));
      record_.pending.reset();
      HF_TRY(save());
      if (last_ && last_->asked_to_end) return Stop(interrupted(*last_->asked_to_end));
      if (const auto fault = own_fault()) return fail(*fault);
      if (vain + 1 >= kMostVain) {
        return fail({.code = ErrorCode::kCannotTell,
                     .op = "start an iteration of",
                     .subject = "'" + name_ + "'",
                     .cause = "lost",
                     .detail = "its supervisor is killed again and again; nothing was started"});
      }
    }
  }

  Result<IterationFate> run_iteration() {
    SeriesPending pending{.n = record_.done + 1};
    pending.run = HF_TRY(os::random_id());
    pending.since = services_.clock.wall();
    run::RunOrder& order = request_.run;
    order.run = pending.run;
    order.what.environment = environment(pending.n);
    order.what.timeout = iteration_timeout_;
    if (request_.timeout) {
      const Duration rest = std::max<Duration>(HF_TRY(left()), std::chrono::milliseconds(1));
      order.what.timeout = std::min(iteration_timeout_.value_or(rest), rest);
    }
    record_.pending = pending;
    HF_TRY(save());
    listener_.say("iteration " + std::to_string(pending.n) + " of " +
                  std::to_string(record_.iterations));
    SeriesIntent intent(services_, *lock_, record_);
    auto started = start_intended(services_, *lock_, intent, order);
    last_.reset();
    start_error_.reset();
    if (started) {
      last_ = *std::move(started);
    } else {
      start_error_ = started.error();
    }
    const bool before = std::exchange(ran_, true);
    auto fate = fate_of_started(pending);
    if (fate && fate->kind == FateKind::kNever) ran_ = before;
    return fate;
  }

  // A supervisor that told us how it ended, or was never made, will not begin anything any more.
  Result<IterationFate> fate_of_started(const SeriesPending& pending) {
    const bool told = !last_ || (last_->report && !last_->report->supervisor_gone);
    if (told) {
      const auto trace = session::trace_of(services_.sessions, name_, pending.run);
      if (!trace) return fail(trace.error());
      const bool none = trace->kind == session::Trace::Kind::kNone;
      // Somebody has removed the session meanwhile: then the supervisor's own word is what we have.
      if (none && last_ && last_->report->started) {
        return IterationFate{.kind = FateKind::kEnded,
                             .end = end_of_report(pending, *last_->report)};
      }
      if (none) return IterationFate{.kind = FateKind::kNever};
    }
    return fate_of_iteration(services_, *lock_, record_);
  }

  // Asks for the mark, and puts all of it on record in one write.
  Result<Stop> count(SeriesEnd end) {
    // What an iteration that was asked to end has moved counts for the one that repeats it.
    if (request_.progress && !end.asked) {
      const MarkAnswer answer = mark();
      if (!answer.mark) {
        listener_.warn("the progress of iteration " + std::to_string(end.n) +
                       " cannot be told: " + answer.why);
      }
      end.progress = compare_marks(record_.mark, answer.mark);
      if (answer.mark) record_.mark = answer.mark;
      if (answer.interrupted) {
        count_end(end);
        HF_TRY(save());
        return Stop(interrupted(*answer.interrupted));
      }
    }
    count_end(end);
    HF_TRY(save());
    return Stop();
  }

  void count_end(const SeriesEnd& end) {
    count_iteration(record_, end);
    std::string line = "iteration " + std::to_string(end.n) + ": " + how_it_ended(end);
    if (end.progress == SeriesProgress::kIdle) line += ", and nothing has moved";
    if (has_failed(end)) {
      listener_.warn(line);
    } else {
      listener_.say(line);
    }
  }

  // --- the end

  Result<Stop> finish(SeriesReason reason, std::optional<Error> why) {
    const int code = series_code(reason, record_, request_.until.has_value());
    if (is_over(reason)) {
      record_.over = reason;
      record_.code = code;
      HF_TRY(save());
    }
    SeriesOutcome outcome = outcome_of(reason);
    outcome.code = code;
    outcome.why = std::move(why);
    return Stop(std::move(outcome));
  }

  // It is over, and whoever drove it was killed before anybody was told.
  SeriesOutcome untold() {
    listener_.say("the series of '" + name_ +
                  "' came to its end before, and nobody was told; nothing was started");
    SeriesOutcome outcome = outcome_of(*record_.over);
    outcome.code = record_.code.value_or(to_int(ExitCode::kCannotTell));
    return outcome;
  }

  SeriesOutcome outcome_of(SeriesReason reason) {
    SeriesOutcome outcome{.reason = reason};
    outcome.record = record_;
    outcome.last = std::move(last_);
    return outcome;
  }

  SeriesOutcome interrupted(int signal) {
    SeriesOutcome outcome = outcome_of(SeriesReason::kInterrupted);
    outcome.code = kOfSignal + signal;
    return outcome;
  }

  // The code is the iteration's; but one that exits with 0 when it is asked to end has not brought
  // the series to its end.
  SeriesOutcome interrupted_by_run(const SeriesEnd& end) {
    const int signal = last_ ? last_->asked_to_end.value_or(os::kSignalTerm) : os::kSignalTerm;
    SeriesOutcome outcome = interrupted(signal);
    if (end.code != 0) outcome.code = end.code;
    return outcome;
  }

  // Something failed after an iteration had been let go: what it came to is told all the same.
  SeriesOutcome broken_off(const Error& error) {
    SeriesOutcome outcome = outcome_of(SeriesReason::kCannotTell);
    outcome.code = to_int(info(error.code).exit);
    outcome.why = error;
    return outcome;
  }

  // It stays intended: the next call finds out.
  SeriesOutcome unclear(IterationFate fate) {
    SeriesOutcome outcome = outcome_of(SeriesReason::kCannotTell);
    outcome.code = to_int(ExitCode::kCannotTell);
    if (outcome.last && outcome.last->report) {
      const int code = supervise::judge(*outcome.last->report).code;
      if (code == to_int(ExitCode::kSurvivors)) outcome.code = code;
    }
    outcome.why = std::move(fate.why);
    return outcome;
  }

  // Why nothing was started, where holdfast itself knows.
  std::optional<Error> own_fault() const {
    if (start_error_) return start_error_;
    if (!last_ || !last_->report) return std::nullopt;
    if (last_->report->fault || !last_->report->start_failure) return last_->report->fault;
    const bool directory =
        last_->report->start_failure->kind == os::StartFailure::Kind::kNoDirectory;
    return Error{.code = ErrorCode::kOsRefused,
                 .op = "start an iteration of",
                 .subject = "'" + name_ + "'",
                 .cause = directory ? "no-directory" : "not-started",
                 .detail = directory ? "the directory to run it in cannot be entered"
                                     : "what goes before the command failed",
                 .os_code = last_->report->start_failure->os_code};
  }

  // --- what all of them need

  // Only who holds the lock writes: where it was taken away, the record is another driver's.
  Result<> save() {
    if (HF_TRY(lock_->check()) == lock::Owned::kLost) {
      return fail({.code = ErrorCode::kRefused,
                   .op = "go on with the series of",
                   .subject = "'" + name_ + "'",
                   .cause = "lost",
                   .detail = "its lock was taken away; nothing more was started"});
    }
    return write_series(services_.sessions, record_);
  }

  // Of the whole series' time.
  Result<Duration> left() {
    if (!request_.timeout) return Duration::max();
    const TimeMark now = HF_TRY(moment_now(services_.clock));
    return *request_.timeout - passed_since(record_.since, now);
  }

  // What the caller's own variables say comes last: they may say it otherwise.
  std::vector<std::string> environment(std::uint64_t n) const {
    std::vector<std::string> all{
        "HOLDFAST_ITERATION=" + std::to_string(n),
        "HOLDFAST_ITERATIONS=" + std::to_string(request_.limits.iterations)};
    all.insert(all.end(), own_environment_.begin(), own_environment_.end());
    return all;
  }

  Question question(const std::string& line) {
    Question question{.line = line, .timeout = request_.ask_timeout, .grace = kQuestionGrace};
    const auto rest = left();
    if (rest) question.timeout = std::min(question.timeout, *rest);
    question.directory = request_.run.what.directory;
    question.environment = environment(record_.pending ? record_.pending->n : record_.done);
    return question;
  }

  Answered reached() {
    auto answered = ask(services_.clock, question(*request_.until));
    return answered ? *std::move(answered) : Answered{.why = to_sentence(answered.error())};
  }

  MarkAnswer mark() {
    auto answer = ask_mark(services_.clock, question(*request_.progress));
    return answer ? *std::move(answer) : MarkAnswer{.why = to_sentence(answer.error())};
  }

  void tell(std::string_view type, std::string_view reason) {
    EventData data;
    data.text("session", name_).number("done", static_cast<std::int64_t>(record_.done));
    if (!reason.empty()) data.text("reason", std::string(reason));
    const auto told = services_.events.record({.type = type, .data = std::move(data)});
    if (!told) listener_.warn("this is not on record: " + to_sentence(told.error()));
  }

  const LoopServices& services_;
  SeriesRequest request_;
  SeriesListener& listener_;
  std::string name_;
  std::vector<std::string> own_environment_;
  std::optional<Duration> iteration_timeout_;

  std::unique_ptr<lock::Lock> lock_;
  std::optional<Error> ahead_;  // of whom had it when we came, if we were not told to wait
  SeriesRecord record_;
  std::optional<run::Started> last_;
  std::optional<Error> start_error_;
  bool ran_ = false;  // in this call: an iteration took place, or may have
};

}  // namespace

Result<SeriesOutcome> run_series(const LoopServices& services, SeriesRequest request,
                                 SeriesListener& listener) {
  return Series(services, std::move(request), listener).run();
}

Result<> acknowledge_series(const LoopServices& services, const SeriesOutcome& outcome) {
  SeriesRecord record = outcome.record;
  record.answered = true;
  Result<> written;
  // Who has broken the lock may have begun another series.
  if (HF_TRY(outcome.held->check()) == lock::Owned::kYes) {
    written = write_series(services.sessions, record);
  }
  const auto released = outcome.held->release();
  static_cast<void>(released);  // nobody but us could have it
  return written;
}

}  // namespace holdfast::loop
