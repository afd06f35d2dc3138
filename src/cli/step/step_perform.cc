// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_perform.h"

#include "base/path_text.h"
#include "cli/lock/lock_options.h"
#include "cli/session/run_answer.h"
#include "cli/step/step_answer.h"
#include "cli/step/step_options.h"
#include "format/session/outcome.h"
#include "os/spawn/inherited.h"
#include "run/lock/lock_environment.h"
#include "runtime/runtime.h"
#include "supervise/pipeline.h"

namespace holdfast::cli {
namespace {

constexpr int kCannotTellCode = 69;
constexpr int kFirstReserved = 125;

// As `run --verify` reads it: 69, 125 and above, a signal or a time-out mean that nobody can tell.
class ShellVerifier final : public loop::StepVerifier {
 public:
  ShellVerifier(const Clock& clock, const StepVerify& verify) : clock_(clock), verify_(verify) {}

  Result<loop::WorldSays> ask() override {
    supervise::PipelineRequest request;
    request.stages = {shell_words(verify_.line)};
    request.output = supervise::PipelineRequest::Output::kStderr;
    request.timeout = verify_.timeout;
    const auto report = HF_TRY(supervise::run_pipeline(clock_, request, {}));
    const auto code = report.stages.front().exit_code;
    const bool told = !report.timed_out && !report.interrupted && report.empty && code &&
                      *code != kCannotTellCode && *code < kFirstReserved;
    if (!told) return loop::WorldSays::kCannotTell;
    return *code == 0 ? loop::WorldSays::kDone : loop::WorldSays::kNotDone;
  }

 private:
  const Clock& clock_;
  const StepVerify& verify_;
};

// nullopt: it needs more than a look at its record.
Result<std::optional<loop::StepOutcome>> peek(runtime::Runtime& runtime, const loop::StepAsk& ask) {
  auto steps = HF_TRY(runtime.find_steps());
  if (!steps) return std::nullopt;
  return loop::peek_step(runtime.clock(), loop::StepStore(*std::move(steps)), ask);
}

Result<loop::StepOutcome> run_in(runtime::Runtime& runtime, loop::StepOrder order,
                                 const std::optional<StepVerify>& verify) {
  const loop::StepStore steps(HF_TRY(runtime.steps()));
  run::Services services{.clock = runtime.clock(), .events = runtime.events()};
  services.sessions = HF_TRY(runtime.sessions());
  services.locks = HF_TRY(runtime.locks());
  services.chain = HF_TRY(run::chain_of_environment());
  std::optional<ShellVerifier> verifier;
  if (verify) verifier.emplace(runtime.clock(), *verify);
  return loop::run_step(services, steps, std::move(order), verifier ? &*verifier : nullptr);
}

// Everything is told but the error, which may have company.
Result<StepAnswered> perform(Context& context, const Args& args, const loop::StepAsk& ask,
                             const std::optional<StepVerify>& verify) {
  runtime::Runtime& runtime = context.runtime();
  loop::StepOrder order{.ask = ask};
  order.run = HF_TRY(step_run_order(context, args));
  if (verify) {
    order.run.what.verify = verify->line;
    order.run.what.verify_timeout = verify->timeout;
  }
  const SessionOrder what = order.run.what;
  auto peeked = HF_TRY(peek(runtime, ask));
  const loop::StepOutcome outcome =
      peeked ? *std::move(peeked) : HF_TRY(run_in(runtime, std::move(order), verify));
  StepAnswered answer = answer_of(outcome, ask, what.command.front());
  if (const std::string_view event = event_of(outcome, ask.kind); !event.empty()) {
    loop::tell_step(runtime.events(), event, {.kind = ask.kind, .key = ask.key}, {},
                    answer.verdict.reason);
    flush_events(context);
  }
  context.emit(step_fields(outcome, answer, ask));
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

Result<int> perform_step(Context& context, const Args& args, loop::StepAsk ask,
                         const std::optional<StepVerify>& verify) {
  ask.key = HF_TRY(step_key(args, ask.kind));
  os::Handle status;
  if (const auto fd = args.integer("status-fd")) status = HF_TRY(os::adopt_for_writing(*fd));
  const auto answer = perform(context, args, ask, verify);
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
