// SPDX-License-Identifier: Apache-2.0
#include "cli/session/run_perform.h"

#include "cli/frame/command_line.h"
#include "cli/lock/lock_options.h"
#include "cli/session/if_busy.h"
#include "cli/session/run_answer.h"
#include "cli/session/session_facts.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"
#include "loop/item/item_intent.h"
#include "os/spawn/env.h"
#include "proc/tree/run_id_scan.h"
#include "run/lock/lock_environment.h"
#include "run/session/start.h"
#include "runtime/runtime.h"
#include "session/record/layout.h"
#include "session/record/store.h"
#include "supervise/verdict.h"

namespace holdfast::cli {
namespace {

RunSession session_of(const run::RunOrder& order, const session::SessionStore* sessions) {
  if (!order.name) return {};
  RunSession session{.name = *order.name};
  if (!order.what.log || sessions == nullptr) return session;
  const auto dir = sessions->find(*order.name);
  if (dir && *dir) session.log = (*dir)->dir().path_of(session::log_name());
  return session;
}

// Of this very run: another may have begun under the name by now.
void say_lost_log(Context& context, const session::SessionStore& sessions,
                  const RunSession& session, const supervise::RunReport& report) {
  const auto dir = sessions.find(session.name);
  const auto record = dir && *dir ? (*dir)->read() : std::optional<SessionRecord>();
  const bool ours = record && *record && (*record)->command && report.pid &&
                    (*record)->command->pid == os::number(*report.pid);
  if (ours) warn_of_lost_log(context, **record);
}

void say_detached(Context& context, const RunSession& session, os::Pid supervisor,
                  const session::SessionStore& sessions) {
  Json fields = run_fields({}, {}, session);
  fields["state"] = to_text(SessionState::kRunning);
  fields["ended"] = nullptr;
  fields["supervisor"] = os::number(supervisor);
  const auto dir = sessions.find(session.name);
  const auto record = dir && *dir ? (*dir)->read() : std::optional<SessionRecord>();
  // It may have ended, and another have begun, by now: then it is not ours to tell.
  if (record && *record && (*record)->supervisor.pid == os::number(supervisor)) {
    if ((*record)->command) fields["pid"] = (*record)->command->pid;
    if ((*record)->started) fields["started"] = format_rfc3339(*(*record)->started);
    fields["containment"] = (*record)->containment;
    fields["limits"] = (*record)->limits_by;
  }
  context.emit(fields);
}

// A run that may be skipped is not announced: its caller typed the name, and knows it.
bool says_name_later(const run::RunOrder& order) {
  return order.if_busy == run::IfBusy::kSkip && !order.name_is_made_up;
}

// What goes on without its caller must not go on under a name that nobody was told: the name comes
// first, and where it cannot be written nothing is started. A document cannot come first; a name
// that the caller does not know is on stderr then.
Result<> say_name_first(Context& context, const run::RunOrder& order) {
  if (order.ground != run::Ground::kBack || says_name_later(order)) return {};
  if (context.json() && order.name_is_made_up) context.note("session '" + *order.name + "'");
  context.print(*order.name + "\n");
  auto told = context.flush();
  if (!told) told.error().detail += "; nothing was started";
  return told;
}

Result<run::Started> start(runtime::Runtime& runtime, const run::RunOrder& order) {
  const bool with_home = order.name || !order.what.locks.empty();
  EventSink& events = with_home ? runtime.events() : runtime.events_if_any();
  run::Services services{.clock = runtime.clock(), .events = events};
  if (with_home) services.sessions = HF_TRY(runtime.sessions());
  if (with_home) services.locks = HF_TRY(runtime.locks());
  services.chain = HF_TRY(run::chain_of_environment());
  services.guard_of = [&](std::string_view note) -> Result<std::unique_ptr<run::RunGuard>> {
    return loop::item_guard_of(note, runtime.clock(), *HF_TRY(runtime.locks()));
  };
  return run::start_run(services, order);
}

int run_perform_answer(Context& context, const run::RunOrder& order,
                       const supervise::RunReport& report, const supervise::Verdict& verdict,
                       const RunSession& session, os::Handle status) {
  const std::string& command = order.what.command.front();
  if (verdict.by == supervise::By::kCommand) context.code_is_the_commands();
  context.emit(run_fields(report, verdict, session));
  const std::string note = run_note(report, verdict, order.what);
  if (!note.empty()) context.note(note);
  auto error = run_error(report, verdict, command);
  const auto told = say_status(std::move(status), verdict);
  if (!told && !error) error = told.error();
  if (error) context.report(*error);
  return verdict.code;
}

std::string unquoted(const std::string& subject) {
  return subject.size() > 2 ? subject.substr(1, subject.size() - 2) : subject;
}

// Before the start: whoever has the name is stopped, or named.
Result<bool> make_room(Context& context, const run::RunOrder& order) {
  if (!order.name) return false;
  if (order.if_busy == run::IfBusy::kReplace)
    return replace_run(context, *order.name, order.replace_wait);
  if (order.if_busy == run::IfBusy::kWait) say_who_has_name(context, *order.name, order.name_wait);
  return false;
}

}  // namespace

int skip_run(Context& context, const run::RunOrder& order, supervise::RunReport& report,
             os::Handle status) {
  const Error& busy = *report.fault;
  RunSession session{.name = order.name.value_or("")};
  EventData data;
  data.text(order.name ? "name" : "lock", order.name.value_or(unquoted(busy.subject)));
  if (const auto recorded = record_skip(context, order.name ? "session.skipped" : "lock.skipped",
                                        std::move(data), busy);
      !recorded) {
    report.fault->detail +=
        "; it is not skipped, because that could not be recorded: " + to_sentence(recorded.error());
    return run_perform_answer(context, order, report, supervise::judge(report), session,
                              std::move(status));
  }
  session.skipped = true;
  context.note(skip_note(busy));
  report.fault.reset();
  supervise::Verdict verdict;
  verdict.state = SessionState::kFailed;
  verdict.code = to_int(ExitCode::kDone);
  verdict.reason = kSkipped;
  return run_perform_answer(context, order, report, verdict, session, std::move(status));
}

int perform_run(Context& context, const run::RunOrder& asked, os::Handle status) {
  run::RunOrder order = asked;
  if (order.ground == run::Ground::kFore && tells_of_waits(context))
    order.say_waiting = [&context](const std::string& line) { context.note(line); };
  const auto told = say_name_first(context, order);
  const auto replaced = told ? make_room(context, order) : Result<bool>(fail(told.error()));
  auto started =
      replaced ? start(context.runtime(), order) : Result<run::Started>(fail(replaced.error()));
  const session::SessionStore* sessions = nullptr;
  if (order.name && told) sessions = context.runtime().sessions().value_or(nullptr);
  RunSession session = session_of(order, sessions);
  session.replaced = replaced.value_or(false);
  if (started && !started->report) {
    if (says_name_later(order)) context.print(*order.name + "\n");
    say_detached(context, session, started->supervisor, *sessions);
    return to_int(ExitCode::kDone);
  }
  run::Started ended;
  if (started) {
    ended = *std::move(started);
  } else {
    ended.report.emplace();
    ended.report->fault = std::move(started).error();
    ended.report->ended = context.runtime().clock().wall();
  }
  supervise::RunReport& report = *ended.report;
  if (order.if_busy == run::IfBusy::kSkip && report.fault && is_busy(*report.fault))
    return skip_run(context, order, report, std::move(status));
  const supervise::Verdict verdict = run::judge_started(ended);
  if (!session.log.empty()) say_lost_log(context, *sessions, session, report);
  return run_perform_answer(context, order, report, verdict, session, std::move(status));
}

int refuse_run(Context& context, const run::RunOrder& order, const RunRefusal& refusal,
               os::Handle status) {
  supervise::RunReport report;
  report.fault = refusal.error;
  report.ended = context.runtime().clock().wall();
  const RunSession session{.name = order.name.value_or(""), .step = refusal.step};
  return run_perform_answer(context, order, report, supervise::judge(report), session,
                            std::move(status));
}

Result<> refuse_inside_run(const std::string& what, const std::string& instead) {
  const auto is_set = [](const std::string& name) {
    const auto value = os::env(name.c_str());
    return value && !value->empty();
  };
  if (is_set("HOLDFAST_DEADLINE")) {
    return fail(usage_error("inside-lease", "use", what,
                            "inside `lock --ttl`, which ends everything below it when the lease is "
                            "lost; " +
                                instead + "; nothing was started"));
  }
  if (!is_set(std::string(proc::kRunVariable))) return {};
  const auto session = os::env("HOLDFAST_SESSION");
  const std::string named =
      session && !session->empty() ? "the session '" + *session + "'" : "another run";
  return fail(usage_error("inside-run", "use", what,
                          "inside " + named + ", which ends everything below it when it ends; " +
                              instead + "; nothing was started"));
}

}  // namespace holdfast::cli
