// SPDX-License-Identifier: Apache-2.0
#include "cli/session/series_perform.h"

#include <memory>

#include "cli/lock/lock_options.h"
#include "cli/profile/profile_run.h"
#include "cli/session/if_busy.h"
#include "cli/session/run_answer.h"
#include "cli/session/run_options.h"
#include "cli/session/run_perform.h"
#include "cli/session/series_options.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "format/text/rfc3339.h"
#include "loop/intent/services.h"
#include "run/lock/lock_environment.h"
#include "runtime/runtime.h"
#include "session/record/layout.h"
#include "supervise/verdict.h"

namespace holdfast::cli {
namespace {

class SeriesPerformTold final : public loop::SeriesListener {
 public:
  explicit SeriesPerformTold(Context& context) : context_(context) {}
  void say(const std::string& line) override { context_.note(line); }
  void warn(const std::string& line) override { context_.warn(line); }

 private:
  Context& context_;
};

Json history_json(const SeriesRecord& record) {
  Json list = Json::array();
  for (const SeriesEnd& end : record.history) {
    Json idle(nullptr);
    if (end.progress == SeriesProgress::kIdle) idle = true;
    if (end.progress == SeriesProgress::kMoved) idle = false;
    list.push_back({{"n", end.n},
                    {"state", to_text(end.state)},
                    {"exit_code", or_null(end.exit_code)},
                    {"signal", or_null(end.signal)},
                    {"idle", std::move(idle)},
                    {"asked", end.asked}});
  }
  return list;
}

// Of the last iteration, where it was not one of this call: what is on record of it.
void fill_from_history(Json& fields, const SeriesRecord& record) {
  fields["state"] = nullptr;
  fields["ended"] = nullptr;
  fields["log"] = nullptr;
  fields["containment"] = nullptr;
  if (record.history.empty()) return;
  const SeriesEnd& last = record.history.back();
  fields["state"] = to_text(last.state);
  fields["exit_code"] = or_null(last.exit_code);
  fields["signal"] = or_null(last.signal);
  if (last.began) fields["started"] = format_rfc3339(*last.began);
  if (last.ended) fields["ended"] = format_rfc3339(*last.ended);
}

Json series_fields(const loop::SeriesOutcome& outcome, const supervise::Verdict& last,
                   const RunSession& session) {
  const bool ran = outcome.last && outcome.last->report;
  Json fields = run_fields(ran ? *outcome.last->report : supervise::RunReport{}, last, session);
  if (!ran) fill_from_history(fields, outcome.record);
  fields["iterations"] = outcome.record.iterations;
  fields["done"] = outcome.record.done;
  fields["reason"] = to_text(outcome.reason);
  fields["errors"] = outcome.record.errors;
  fields["idle"] = outcome.record.idle;
  fields["history"] = history_json(outcome.record);
  return fields;
}

std::string sentence_of(const loop::SeriesOutcome& outcome) {
  const std::string after = " after " + std::to_string(outcome.record.done) +
                            (outcome.record.done == 1 ? " iteration" : " iterations");
  switch (outcome.reason) {
    case SeriesReason::kReached:
      return "the goal is reached" + after;
    case SeriesReason::kIterations:
      return "all iterations are used up" + after;
    case SeriesReason::kPlateau:
      return "nothing moves any more: stopped" + after;
    case SeriesReason::kErrors:
      return "too many failed in a row: stopped" + after;
    case SeriesReason::kDeadline:
      return "the time of the series is over" + after;
    case SeriesReason::kCannotTell:
    case SeriesReason::kInterrupted:
      break;
  }
  const auto& history = outcome.record.history;
  if (outcome.reason == SeriesReason::kInterrupted && !history.empty() && history.back().asked) {
    return "stopped" + after + "; iteration " + std::to_string(history.back().n) +
           " was asked to end and is not done: the same command runs it again";
  }
  return "stopped" + after + "; the same command goes on";
}

bool is_of_command(const loop::SeriesOutcome& outcome) {
  return loop::is_code_of_iteration(outcome.reason, outcome.code);
}

// Whose word the code is.
supervise::Verdict series_verdict(const loop::SeriesOutcome& outcome,
                                  const supervise::Verdict& last) {
  supervise::Verdict verdict;
  verdict.state = last.state;
  verdict.code = outcome.code;
  verdict.reason = to_text(outcome.reason);
  if (is_of_command(outcome) && outcome.last && last.code == outcome.code) {
    verdict.by = last.by;
    verdict.signal = last.signal;
  }
  return verdict;
}

int series_perform_answer(Context& context, const loop::SeriesOutcome& outcome,
                          const RunSession& session, const std::string& command,
                          os::Handle status) {
  supervise::Verdict last;
  std::optional<Error> error = outcome.why;
  if (outcome.last && outcome.last->report) {
    last = supervise::judge(*outcome.last->report);
    const bool failed = is_of_command(outcome) && outcome.reason != SeriesReason::kInterrupted;
    if (failed && !error) error = run_error(*outcome.last->report, last, command);
  }
  const supervise::Verdict verdict = series_verdict(outcome, last);
  if (verdict.by == supervise::By::kCommand) context.code_is_the_commands();
  context.emit(series_fields(outcome, last, session));
  context.note(sentence_of(outcome));
  const auto told = say_status(std::move(status), verdict);
  if (!told && !error) error = told.error();
  if (error) context.report(*error);
  return outcome.code;
}

Result<loop::LoopServices> series_perform_services(runtime::Runtime& own,
                                                   runtime::Runtime& for_runs) {
  return loop::loop_services(own, for_runs, HF_TRY(run::chain_of_environment()));
}

// The order of every iteration. A profile's steps are done once, before the first.
Result<ProfileRun> series_perform_order_of(Context& context, const Args& args) {
  if (args.text("profile")) return prepare_profile_run(context, args);
  ProfileRun ready;
  ready.order = HF_TRY(run_order(context, args));
  return ready;
}

}  // namespace

Result<int> run_iterations(Context& context, const Args& args, os::Handle status) {
  HF_TRY(refuse_budget("--iterations", "--timeout and --iteration-timeout bound them"));
  const ProfileRun ready = HF_TRY(series_perform_order_of(context, args));
  loop::SeriesRequest order = HF_TRY(series_order(args, ready.order));
  if (ready.refusal) return refuse_run(context, ready.order, *ready.refusal, std::move(status));
  // It stays until the answer is written.
  const std::shared_ptr<runtime::Runtime> for_runs = context.runtime().apart();
  const auto found = series_perform_services(context.runtime(), *for_runs);
  if (!found) return refuse_run(context, ready.order, {found.error(), ""}, std::move(status));
  const loop::LoopServices& services = *found;
  RunSession session{.name = *ready.order.name};
  SeriesPerformTold told(context);
  const auto outcome = loop::run_series(services, std::move(order), told);
  flush_events(context);
  if (!outcome && ready.order.if_busy == run::IfBusy::kSkip && is_busy(outcome.error())) {
    supervise::RunReport report;
    report.fault = outcome.error();
    return skip_run(context, ready.order, report, std::move(status));
  }
  if (!outcome) return refuse_run(context, ready.order, {outcome.error(), ""}, std::move(status));
  const auto dir = services.sessions.find(session.name);
  if (ready.order.what.log && dir && *dir) {
    session.log = (*dir)->dir().path_of(session::log_name());
  }
  if (outcome->held) {
    context.after_answer([&context, for_runs, services, told = *outcome] {
      const auto noted = loop::acknowledge_series(services, told);
      if (!noted) context.warn("the next call tells it again: " + to_sentence(noted.error()));
    });
  }
  return series_perform_answer(context, *outcome, session, ready.order.what.command.front(),
                               std::move(status));
}

}  // namespace holdfast::cli
