// SPDX-License-Identifier: Apache-2.0
#include "base/budget.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/option_value.h"
#include "cli/step/until_answer.h"
#include "loop/step/until.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

// `otherwise`: where it is not typed; nullopt: none.
Result<loop::CodeSet> codes(const Args& args, std::string_view option,
                            std::optional<std::size_t> otherwise) {
  const auto typed = args.text(option);
  if (!typed) return otherwise ? loop::CodeSet().set(*otherwise) : loop::CodeSet();
  const auto set = loop::parse_codes(*typed);
  if (!set) return bad_value(option, *typed, "exit codes from 0 to 255, such as 0,3,10-20");
  return *set;
}

Result<loop::UntilRequest> until_request_of(const Args& args) {
  loop::UntilRequest request{.command = args.trailing()};
  request.timeout = args.duration("timeout").value_or(loop::kDefaultUntilTimeout);
  request.every = args.duration("every").value_or(loop::kDefaultUntilEvery);
  request.grace = args.duration("grace").value_or(request.grace);
  request.pass = HF_TRY(codes(args, "pass", 0));
  request.fail = HF_TRY(codes(args, "fail", std::nullopt));
  // What is not typed gives way to what is.
  request.not_yet = HF_TRY(codes(args, "not-yet", 1));
  if (!args.text("not-yet")) request.not_yet &= ~(request.pass | request.fail);
  const bool twice = (request.pass & request.fail).any() ||
                     (request.pass & request.not_yet).any() ||
                     (request.fail & request.not_yet).any();
  if (!twice) return request;
  return fail(usage_error("conflict", "run", "holdfast until",
                          "a code is in two of --pass, --fail and --not-yet"));
}

Result<int> run_until(Context& context, const Args& args) {
  loop::UntilRequest request = HF_TRY(until_request_of(args));
  const Allowed allowed = within_budget(request.timeout, os::RealClock().mono());
  request.timeout = *allowed.time;
  // Not while a try runs: what that prints goes to the same terminal.
  request.pausing = [&](std::uint64_t tries) {
    return context.waiting("a yes of '" + request.command.front() + "', asked " +
                           std::to_string(tries) + (tries == 1 ? " time" : " times"));
  };
  const loop::UntilOutcome outcome = HF_TRY(loop::poll_until(os::RealClock(), request));
  context.emit(until_fields(outcome));
  return say_until(context, outcome, request, allowed.by_budget);
}

constexpr std::array kUntilOptions{
    OptionSpec{.name = "timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "for how long, the last try included (default 15m)"},
    OptionSpec{.name = "every",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the pause between two tries (default 5s)"},
    OptionSpec{.name = "pass",
               .kind = OptionKind::kText,
               .value = "CODES",
               .help = "the exit codes that mean yes, such as 0,3,10-20 (default 0)"},
    OptionSpec{.name = "fail",
               .kind = OptionKind::kText,
               .value = "CODES",
               .help = "those that mean never, so that waiting ends (default: none)"},
    OptionSpec{.name = "not-yet",
               .kind = OptionKind::kText,
               .value = "CODES",
               .help = "those that mean not yet, definitely (default 1)"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the time between TERM and KILL for a try that is cut off (default 2s)"},
};

constexpr std::array kUntilExamples{
    Example{.line = "holdfast until --timeout 20m --every 30s --fail 2 -- ./ci-is-green 42",
            .says = "0 green, 1 still running, 2 red; anything else is no answer"},
    Example{.line = "holdfast until --timeout 10s --every 100ms -- nc -z localhost 5432",
            .says = "Wait for a port"},
};

}  // namespace

constinit const CommandSpec kUntilCommand{
    .name = "until",
    .summary = "ask a command again until it says yes, never, or time is up",
    .description =
        "Runs COMMAND, and again after a pause, until its exit code is an answer. What it says has "
        "four meanings, and they are kept apart: yes (--pass), never (--fail), not yet "
        "(--not-yet), and anything else (another code, a signal, a try that did not come back in "
        "time): nobody can tell. That is asked again like `not yet`, and is never taken for a yes "
        "or a no: if time is up and the last answer was of that kind, the code is 69, not "
        "124.\n\n"
        "The time is counted on the clock that time asleep belongs to. Each try is ended, with all "
        "that it started, before the next one begins. It reads nothing, and what it prints goes to "
        "standard error. Nothing is recorded: after a crash, ask again.",
    .options = kUntilOptions,
    .trailing = Trailing::kCommand,
    .examples = kUntilExamples,
    .exits = kUntilExits,
    .json_fields = kUntilFields,
    .run = run_until,
};

}  // namespace holdfast::cli
