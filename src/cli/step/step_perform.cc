// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_perform.h"

#include "cli/lock/lock_options.h"
#include "cli/session/run_answer.h"
#include "cli/step/step_answer.h"
#include "cli/step/step_home.h"
#include "cli/step/step_options.h"
#include "os/file/file.h"
#include "os/machine/real_clock.h"
#include "os/spawn/inherited.h"

namespace holdfast::cli {
namespace {

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
