// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_command.h"

#include <algorithm>

#include "base/exit_code.h"
#include "base/path_text.h"
#include "base/units.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/lock/lock_options.h"
#include "cli/lock/lock_view.h"
#include "cli/session/run_answer.h"
#include "format/json/json.h"
#include "format/lock/lock_ledger.h"
#include "format/session/outcome.h"
#include "run/lock/lock_environment.h"
#include "supervise/tree_request.h"

namespace holdfast::cli {
namespace {

constexpr Duration kLongestDefaultGrace = std::chrono::seconds(5);

run::OnLost on_lost_value(const Args& args) {
  const std::string word = args.text("on-lost").value_or("term");
  if (word == "notify") return run::OnLost::kNotify;
  return word == "ignore" ? run::OnLost::kIgnore : run::OnLost::kTerm;
}

Result<Duration> grace_value(const Args& args) {
  const auto grace = args.duration("grace");
  const auto ttl = args.duration("ttl");
  if (!ttl) {
    for (const char* option : {"grace", "on-lost"}) {
      if (!args.text(option)) continue;
      return fail(usage_error("conflict", "use", "--" + std::string(option),
                              "without --ttl: only a lease can be lost"));
    }
    return supervise::kDefaultGrace;
  }
  const Duration longest = lock::longest_grace(*ttl);
  if (!grace) return std::min(longest, kLongestDefaultGrace);
  if (*grace <= longest) return *grace;
  return bad_value("grace", *args.text("grace"),
                   "the command must be gone before the lease ends, so it is at most a sixth of "
                   "the ttl: " +
                       format_duration(longest));
}

// In words, or as the line of -c.
Result<std::vector<std::string>> command_value(const Args& args, const lock::LockId& id) {
  const auto line = HF_TRY(shell_line_value(args, "command"));
  if (line && !args.trailing().empty()) {
    return fail(
        usage_error("conflict", "use", "--command",
                    "together with the command '" + args.trailing().front() + "'; give one"));
  }
  if (line) return shell_words(*line);
  if (!args.trailing().empty()) return args.trailing();
  const bool number = id.kind == lock::LockId::Kind::kNamed &&
                      id.text.find_first_not_of("0123456789") == id.text.npos;
  return fail(usage_error("missing-argument", "run", "holdfast lock",
                          number ? "the command to run is missing; `holdfast flock " + id.text +
                                       "` locks an open descriptor"
                                 : "the command to run is missing; see `holdfast help lock`"));
}

Result<LockChain> chain_for_one_more() {
  LockChain chain = HF_TRY(run::chain_of_environment());
  if (chain.size() < kMaxChain) return chain;
  return fail(usage_error("chain-too-deep", "run under", "another lock",
                          std::to_string(kMaxChain) + " locks around one command are the limit"));
}

}  // namespace

Result<std::optional<int>> busy_code_value(const Args& args) {
  const auto code = args.integer("busy-code");
  if (!code) return std::optional<int>();
  if (*code <= 255) return std::optional(static_cast<int>(*code));
  return bad_value("busy-code", std::to_string(*code), "exit codes are 0 to 255");
}

Result<run::LockRunRequest> lock_run_request(const Context& context, const Args& args) {
  run::LockRunRequest request;
  request.id = HF_TRY(lock_id(args));
  request.slots = HF_TRY(slots_value(args, request.id));
  request.stagger = args.duration("stagger").value_or(Duration::zero());
  request.argv = HF_TRY(command_value(args, request.id));
  request.request = HF_TRY(acquire_request(args, request.id));
  const bool waits = args.text("wait") || args.flag("no-wait");
  if (if_busy_value(args) == run::IfBusy::kSkip && !waits) request.request.wait = Duration::zero();
  request.say_waiting = tells_of_waits(context);
  request.request.binding = LockBinding::kExec;
  request.request.command = request.argv.front();
  request.any = any_file_system(args);
  request.fail_open = HF_TRY(fail_open_reasons(args));
  request.on_lost = on_lost_value(args);
  request.grace = HF_TRY(grace_value(args));
  request.wait_descendants = args.flag("wait-descendants");
  if (context.json()) request.stdout_to = os::StdoutTo::kStderr;
  request.request.chain = HF_TRY(chain_for_one_more());
  return request;
}

namespace {

using LockAnswerKind = lock::AcquireOutcome::Kind;

std::int64_t lock_answer_milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

int lock_answer_before_start(const Error& error) {
  if (error.cause == reason::kSurvivors) return to_int(ExitCode::kSurvivors);
  return to_int(code_before_start(error.code));
}

}  // namespace

supervise::Verdict verdict_of(const run::LockRunResult& answer, std::optional<int> busy_code) {
  if (!answer.report) {
    supervise::Verdict verdict;
    verdict.state = SessionState::kFailed;
    verdict.code = lock_answer_before_start(*answer.error);
    if (answer.error->code == ErrorCode::kBusy && busy_code) verdict.code = *busy_code;
    verdict.reason = answer.error->cause;
    return verdict;
  }
  supervise::Verdict verdict = supervise::judge(*answer.report);
  if (answer.lost && verdict.by == supervise::By::kCommand) {
    verdict.by = supervise::By::kHoldfast;
    verdict.code = outcome_of({.state = verdict.state,
                               .reason = verdict.reason,
                               .exit_code = verdict.exit_code,
                               .signal = verdict.signal,
                               .lock_lost = true})
                       ->code;
    verdict.reason = reason::kLost;
  }
  return verdict;
}

Json lock_fields(const run::LockRunResult& answer, const supervise::Verdict& verdict) {
  Json fields{{"lock", answer.label},
              {"held", answer.grant.has_value()},
              {"mode", nullptr},
              {"fence", nullptr},
              {"waited_ms", nullptr},
              {"reentered", false},
              {"evidence", nullptr},
              {"holder", nullptr},
              {"open_reason", nullptr},
              {"lost", nullptr},
              {"skipped", verdict.reason == kSkipped}};
  if (answer.grant) {
    fields["mode"] = to_text(answer.grant->mode);
    fields["fence"] = answer.grant->fence;
  }
  if (const auto& outcome = answer.outcome) {
    fields["waited_ms"] = lock_answer_milliseconds(outcome->waited);
    fields["reentered"] = outcome->kind == LockAnswerKind::kReentered;
    if (outcome->cause) {
      fields["evidence"] =
          outcome->evidence.empty() ? std::string(to_text(*outcome->cause)) : outcome->evidence;
    }
    if (!outcome->granted()) fields["holder"] = holder_json(outcome->holder);
  }
  if (answer.open_reason) fields["open_reason"] = *answer.open_reason;
  if (answer.lost) fields["lost"] = *answer.lost;
  const Json run = run_fields(answer.report.value_or(supervise::RunReport{}), verdict);
  for (const char* key : {"state", "exit_code", "signal", "pid", "started", "ended", "terminated",
                          "killed", "survivors", "survivors_total"}) {
    fields[key] = run[key];
  }
  if (!answer.report || !answer.report->started) fields["ended"] = nullptr;
  if (verdict.reason == kSkipped) fields["state"] = nullptr;
  return fields;
}

Result<> skip_lock(Context& context, run::LockRunResult& answer, supervise::Verdict& verdict) {
  EventData data;
  data.text("lock", answer.label);
  HF_TRY(record_skip(context, "lock.skipped", std::move(data), *answer.error));
  context.note(skip_note(*answer.error));
  answer.error.reset();
  verdict.code = to_int(ExitCode::kDone);
  verdict.reason = kSkipped;
  return {};
}

std::optional<Error> lock_error(const run::LockRunResult& answer, const supervise::Verdict& verdict,
                                const std::string& command) {
  if (!answer.report) return answer.error;
  if (verdict.reason != reason::kLost || !answer.lost)
    return run_error(*answer.report, verdict, command);
  return Error{.code = ErrorCode::kBusy,
               .op = "vouch for",
               .subject = "'" + command + "'",
               .cause = "lost",
               .detail = "the lock '" + answer.label +
                         "' was lost while it ran: what it did late may have met the work of the "
                         "next holder"};
}

}  // namespace holdfast::cli
