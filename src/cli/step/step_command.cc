// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_command.h"

#include "base/cause.h"
#include "base/units.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/lock/lock_options.h"
#include "cli/session/run_answer.h"
#include "cli/step/step_answer.h"
#include "format/session/outcome.h"
#include "format/text/name_escape.h"
#include "os/path/path.h"
#include "os/spawn/inherited.h"
#include "run/lock/lock_environment.h"
#include "run/lock/name_lock.h"
#include "run/session/log_file.h"
#include "runtime/runtime.h"
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
  order.if_busy = if_busy_value(args);
  const auto wait = args.duration("wait");
  if (wait && order.if_busy != run::IfBusy::kWait) {
    return fail(usage_error("conflict", "use", "--wait", "without --if-busy wait"));
  }
  if (order.if_busy == run::IfBusy::kWait)
    order.name_wait = wait.value_or(std::chrono::seconds(10));
  if (context.json()) order.stdout_to = os::StdoutTo::kStderr;
  return order;
}

// nullopt: it needs more than a look at its record.
Result<std::optional<loop::StepOutcome>> peek(runtime::Runtime& runtime,
                                              const loop::StepRequest& request) {
  auto steps = HF_TRY(runtime.find_steps());
  if (!steps) return std::nullopt;
  return loop::peek_step(runtime.clock(), loop::StepStore(*std::move(steps)), request);
}

Result<loop::StepOutcome> run_in(runtime::Runtime& runtime, loop::StepRunRequest request) {
  const loop::StepStore steps(HF_TRY(runtime.steps()));
  run::Services services{.clock = runtime.clock(), .events = runtime.events()};
  services.sessions = HF_TRY(runtime.sessions());
  services.locks = HF_TRY(runtime.locks());
  services.chain = HF_TRY(run::chain_of_environment());
  return loop::run_step(services, steps, std::move(request));
}

bool is_skippable(const Error& error) { return is_busy(error) || error.cause == cause::kNotYet; }

// On record first; else it stays as it is. What waits for its time stays `wait`.
void skip_step(Context& context, const loop::StepRequest& request, StepAnswered& answer) {
  EventData data;
  data.text("step", std::string(to_text(request.kind))).text("key", request.key);
  const Error& busy = *answer.error;
  const auto recorded = record_skip(context, "step.skipped", std::move(data), busy);
  if (!recorded) {
    answer.error->detail += "; it is not skipped: " + to_sentence(recorded.error());
    return;
  }
  answer.note = busy.cause == cause::kNotYet ? "skipped: " + to_sentence(busy) : skip_note(busy);
  if (busy.cause != cause::kNotYet) answer.decision = kSkipped;
  answer.verdict.by = supervise::By::kHoldfast;
  answer.verdict.code = to_int(ExitCode::kDone);
  answer.verdict.reason = kSkipped;
  answer.error.reset();
}

// Everything is told but the error, which may have company.
Result<StepAnswered> perform(Context& context, const Args& args, const loop::StepRequest& request,
                             const std::optional<loop::Question>& verify) {
  runtime::Runtime& runtime = context.runtime();
  loop::StepRunRequest whole{.step = request, .verify = verify};
  whole.run = HF_TRY(step_run_order(context, args));
  if (verify) {
    whole.run.what.verify = verify->line;
    whole.run.what.verify_timeout = verify->timeout;
  }
  const SessionOrder what = whole.run.what;
  const run::IfBusy if_busy = whole.run.if_busy;
  auto peeked = HF_TRY(peek(runtime, request));
  if (!peeked && if_busy == run::IfBusy::kWait) {
    say_who_has_name(context, step_session(request.kind, request.key), whole.run.name_wait);
  }
  const loop::StepOutcome outcome =
      peeked ? *std::move(peeked) : HF_TRY(run_in(runtime, std::move(whole)));
  StepAnswered answer = answer_of(outcome, request, what.command.front());
  if (if_busy == run::IfBusy::kSkip && answer.error && is_skippable(*answer.error)) {
    skip_step(context, request, answer);
  } else if (const std::string_view event = event_of(outcome, request.kind); !event.empty()) {
    loop::tell_step(runtime.events(), event, {.kind = request.kind, .key = request.key}, {},
                    answer.verdict.reason);
    flush_events(context);
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
  verdict.state = SessionState::kFailed;
  verdict.code = to_int(code_before_start(error.code));
  verdict.reason = reason_not_started(error.code);
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
  const auto told = say_status(std::move(status),
                               answer ? answer->verdict : step_perform_not_started(answer.error()));
  if (!answer) return fail(answer.error());
  if (answer->verdict.by == supervise::By::kCommand) context.code_is_the_commands();
  auto error = answer->error;
  if (!told && !error) error = told.error();
  if (error) context.report(*error);
  return answer->verdict.code;
}

}  // namespace holdfast::cli
