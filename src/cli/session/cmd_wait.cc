// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "base/budget.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/option_value.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "cli/session/wait_answer.h"
#include "loop/series/wait_session.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<std::optional<SessionState>> wanted_state(const Args& args) {
  const auto typed = args.text("until");
  if (!typed) return std::nullopt;
  const auto state = parse_session_state(*typed);
  if (state) return state;
  return bad_value("until", *typed, "the states are " + all_state_words());
}

Result<int> run_wait(Context& context, const Args& args) {
  const auto wanted = HF_TRY(wanted_state(args));
  const bool any = args.flag("any");
  std::vector<session::SessionDir> dirs;
  for (const std::string& name : args.arguments()) {
    dirs.push_back(HF_TRY(find_session(context, name)));
  }
  const Allowed allowed = within_budget(args.duration("timeout"), context.runtime().clock().mono());
  const std::string whom = dirs.size() == 1 ? "'" + dirs.front().name() + "'"
                                            : std::to_string(dirs.size()) + " sessions";
  const auto line = context.waiting(
      whom + (wanted ? " to be " + std::string(to_text(*wanted)) : std::string(" to end")));
  const WaitedSessions waits =
      HF_TRY(loop::wait_for_sessions(context.runtime(), context, dirs, wanted,
                                     any ? loop::WaitFor::kAny : loop::WaitFor::kAll, allowed));
  return answer_waits(context, dirs, waits, any, wanted.has_value());
}

constexpr std::array kWaitOptions{
    OptionSpec{.name = "until",
               .kind = OptionKind::kText,
               .value = "STATE",
               .help = "wait for this state (`holdfast show` names them), instead of the end"},
    OptionSpec{.name = "timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "give up after D, time asleep included; 0 only looks"},
    OptionSpec{.name = "any", .help = "wait for the first of them, and print its name"},
};
constexpr std::array kWaitArguments{
    ArgumentSpec{.name = "NAME", .help = "the names of the sessions", .arity = Arity::kOneOrMore}};

constexpr std::array kWaitExamples{
    Example{.line = "holdfast wait fix-160", .says = "Sleep until it has ended, with its own code"},
    Example{.line = "holdfast wait --any fix-160 fix-161",
            .says = "Sleep until one of them has ended, and print which"},
    Example{.line = "holdfast wait fix-160 --until running --timeout 10s",
            .says = "Sleep until it runs, for ten seconds at most"},
};

constexpr std::array kWaitExits{
    ExitNote{ExitCode::kDone, "the session's own code is 0; with --until, the state has come"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged"},
    ExitNote{ExitCode::kNo, "there is no such session; with --until, the state can no longer come"},
    ExitNote{ExitCode::kCannotTell,
             "it is lost: nobody knows how it ended; or its series stopped and is not over"},
    ExitNote{ExitCode::kBusy,
             "the time of --timeout passed first; or it never started, because a lock was busy or "
             "it was stopped"},
    ExitNote{ExitCode::kUnproven, "it exited with 0, and its verification did not confirm that"},
    ExitNote{ExitCode::kDeadline, "its deadline fired"},
    ExitNote{ExitCode::kWrapperFailed, "it could not be started"},
    ExitNote{ExitCode::kNotExecutable, "its command could not be executed"},
    ExitNote{ExitCode::kCommandNotFound, "its command was not found"},
};

}  // namespace

constinit const CommandSpec kWaitCommand{
    .name = "wait",
    .summary = "sleep until sessions have ended, or are in a state",
    .description =
        "Sleeps until the session has ended and exits as `run` would have: with the command's own "
        "code, 128+n for signal n, or one of holdfast's codes below. It prints nothing; --json "
        "shows the session as `show` does, and `code` is that code.\n\n"
        "Of several it waits for all, and exits with 0 if each would: else with the code of the "
        "first, by the order of the names, that does not exit with 0. With --any it waits for the "
        "first to end, prints its name and exits with its code. All names must be known from the "
        "start. --json of several is `sessions`, a list, each with its `code`.\n\n"
        "With --until it exits with 0 once the session is in that state, and with 66 once it can "
        "never be. A state that came and went between two looks is not seen: a command that ends "
        "at once may never be seen running.\n\n"
        "A session that `run --iterations` drives has ended when its series has: `wait` sleeps "
        "through the iterations and the pauses between them, and exits with the code of the "
        "series. If the series stopped before it was over, the code is that of the iteration that "
        "was asked to end, or 69. While the series goes on, every state of --until can still "
        "come.\n\n"
        "An orphan is waited for as long as something of it lives; then the answer is 69.",
    .options = kWaitOptions,
    .arguments = kWaitArguments,
    .examples = kWaitExamples,
    .exits = kWaitExits,
    .json_fields = kSessionFields,
    .run = run_wait,
};

}  // namespace holdfast::cli
