// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_command.h"

#include "base/duration.h"
#include "cli/frame/option_value.h"
#include "cli/lock/lock_options.h"
#include "cli/session/run_answer.h"
#include "cli/step/step_answer.h"
#include "cli/step/step_home.h"
#include "format/text/name_escape.h"
#include "os/file/file.h"
#include "os/machine/real_clock.h"
#include "os/path/working_dir.h"
#include "os/spawn/inherited.h"
#include "run/log_file.h"
#include "run/name_lock.h"
#include "supervise/tree_request.h"

namespace holdfast::cli {
namespace {

// In the caller's terminal, without a log.
Result<run::RunOrder> step_run_order(const Context& context, const Args& args) {
  run::RunOrder order;
  SessionOrder& what = order.what;
  what.command = args.trailing();
  what.directory = HF_TRY(os::working_dir());
  what.timeout = args.duration("timeout");
  if (what.timeout && *what.timeout <= Duration::zero()) {
    return bad_value("timeout", *args.text("timeout"),
                     "a deadline is more than 0; leave the option out for none");
  }
  what.grace = args.duration("grace").value_or(supervise::kDefaultGrace);
  what.verify_timeout = run::kDefaultVerifyTimeout;
  what.log = false;
  what.log_max = run::kDefaultLogMax;
  if (context.json()) order.stdout_to = os::StdoutTo::kStderr;
  return order;
}

Result<> step_perform_say_status(os::Handle status, const supervise::Verdict& verdict) {
  if (!status.valid()) return {};
  return os::File(std::move(status), "the descriptor of --status-fd")
      .write_all(status_line(verdict));
}

// nullopt: it needs more than a look at its record.
Result<std::optional<loop::StepOutcome>> peek(const Context& context, const Clock& clock,
                                              const loop::StepRequest& request) {
  const auto steps = HF_TRY(steps_in_home(context));
  if (!steps) return std::nullopt;
  return loop::peek_step(clock, *steps, request);
}

Result<loop::StepOutcome> run_in(StepHome& home, const Clock& clock, loop::StepRunRequest request) {
  run::Services services{.clock = clock, .events = home.run().events()};
  services.sessions = &home.run().sessions();
  services.locks = &home.run().locks();
  services.chain = HF_TRY(chain_of_environment());
  return loop::run_step(services, home.steps(), std::move(request));
}

// Everything is told but the error, which may have company.
Result<StepAnswered> perform(Context& context, const Args& args, const loop::StepRequest& request,
                             const std::optional<loop::Question>& verify) {
  const os::RealClock clock;
  loop::StepRunRequest whole{.step = request, .verify = verify};
  whole.run = HF_TRY(step_run_order(context, args));
  if (verify) {
    whole.run.what.verify = verify->line;
    whole.run.what.verify_timeout = verify->timeout;
  }
  const SessionOrder what = whole.run.what;
  std::unique_ptr<StepHome> home;
  auto peeked = HF_TRY(peek(context, clock, request));
  // What is only to be told needs neither the sessions nor the locks.
  const bool journaled = peeked && !event_of(*peeked, request.kind).empty();
  if (!peeked || journaled) home = HF_TRY(StepHome::open(context, clock));
  const loop::StepOutcome outcome =
      peeked ? *std::move(peeked) : HF_TRY(run_in(*home, clock, std::move(whole)));
  StepAnswered answer = answer_of(outcome, request, what.command.front());
  if (const std::string_view event = event_of(outcome, request.kind); !event.empty()) {
    loop::tell_step(home->run().events(), event, {.kind = request.kind, .key = request.key}, {},
                    answer.verdict.reason);
    flush_events(context, home->run().events());
  }
  context.emit(step_fields(outcome, answer, request));
  if (outcome.started && outcome.started->report) {
    const std::string note = run_note(*outcome.started->report, answer.verdict, what);
    if (!note.empty()) context.note(note);
  }
  if (!answer.note.empty()) context.note(answer.note);
  return answer;
}

supervise::Verdict step_perform_not_started(const Error& error) {
  supervise::Verdict verdict;
  verdict.state = supervise::RunState::kFailed;
  verdict.code = to_int(info(error.code).exit);
  verdict.reason = "not-started";
  return verdict;
}

}  // namespace

Result<std::string> step_key(const Args& args, StepKind kind) {
  const std::string& key = args.arguments().front();
  if (key.empty()) {
    return fail({.code = ErrorCode::kUsage,
                 .op = "use the key",
                 .subject = "''",
                 .cause = "bad-value",
                 .detail = "it is empty"});
  }
  // The longest name that is made of it is that of the lock of its session.
  const std::string lock = run::name_lock_of(step_session(kind, key));
  if (const auto escaped = escape_name(lock, platform_name_rules()); !escaped) {
    Error error = escaped.error();
    error.op = "use the key";
    error.subject = "'" + key + "'";
    if (lock.size() > kMaxRawName) {
      const std::size_t most = kMaxRawName - (lock.size() - key.size());
      error.detail = "a key of `" + std::string(to_text(kind)) + "` has at most " +
                     std::to_string(most) + " bytes";
    }
    return fail(std::move(error));
  }
  return key;
}

Result<std::vector<Duration>> backoff_value(const Args& args) {
  std::vector<Duration> waits;
  const auto typed = args.text("backoff");
  if (!typed) return waits;
  std::string_view rest = *typed;
  for (;;) {
    const std::size_t comma = rest.find(',');
    const auto wait = parse_duration(rest.substr(0, comma));
    if (!wait) return bad_value("backoff", *typed, "write durations such as 5m,30m,2h");
    waits.push_back(*wait);
    if (comma == rest.npos) return waits;
    rest.remove_prefix(comma + 1);
  }
}

Result<int> perform_step(Context& context, const Args& args, loop::StepRequest request,
                         const std::optional<loop::Question>& verify) {
  request.key = HF_TRY(step_key(args, request.kind));
  os::Handle status;
  if (const auto fd = args.integer("status-fd")) status = HF_TRY(os::adopt_for_writing(*fd));
  const auto answer = perform(context, args, request, verify);
  const auto told = step_perform_say_status(
      std::move(status), answer ? answer->verdict : step_perform_not_started(answer.error()));
  if (!answer) return fail(answer.error());
  if (answer->verdict.by == supervise::By::kCommand) context.code_is_the_commands();
  auto error = answer->error;
  if (!told && !error) error = told.error();
  if (error) context.report(*error);
  return answer->verdict.code;
}

}  // namespace holdfast::cli
