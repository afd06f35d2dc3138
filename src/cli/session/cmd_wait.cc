// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/budget.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/option_value.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
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

using Waits = std::vector<std::optional<loop::Waited>>;

// The first by the order of the command line whose code is not 0, else the first that is decided.
std::size_t decisive(const Waits& waits) {
  const auto is_bad = [](const auto& one) { return one && one->reply.code != 0; };
  const auto is_good = [](const auto& one) { return one && one->reply.code == 0; };
  auto found = std::ranges::find_if(waits, is_bad);
  if (found == waits.end()) found = std::ranges::find_if(waits, is_good);
  return static_cast<std::size_t>(found - waits.begin());
}

// The one that was first. Of a state, one that has come, before those of which it cannot come.
std::size_t first_of_any(const Waits& waits, bool of_state) {
  const auto has_come = [&](const auto& one) { return one && (!of_state || one->reply.code == 0); };
  const auto found = std::ranges::find_if(waits, has_come);
  return found == waits.end() ? decisive(waits) : static_cast<std::size_t>(found - waits.begin());
}

Json waited_json(const Context& context, const session::SessionDir& dir,
                 const loop::Waited& waited) {
  if (!waited.view) return {{"name", dir.name()}, {"state", nullptr}};
  return session_json(facts_of(*waited.view, dir.dir(), context.runtime().clock()));
}

int wait_answer(Context& context, const loop::Waited& waited) {
  if (waited.view) warn_of_lost_log(context, waited.view->record);
  if (waited.reply.of_command) context.code_is_the_commands();
  if (waited.reply.error) context.report(*waited.reply.error);
  return waited.reply.code;
}

int answer_all(Context& context, std::span<const session::SessionDir> dirs, const Waits& waits) {
  const std::size_t chosen = decisive(waits);
  Json sessions = Json::array();
  for (std::size_t i = 0; i < waits.size(); ++i) {
    Json one = waited_json(context, dirs[i], *waits[i]);
    one["code"] = waits[i]->reply.code;
    sessions.push_back(std::move(one));
    if (waits[i]->reply.code == 0) continue;
    if (i != chosen && waits[i]->reply.error) {
      context.warn(to_sentence(*waits[i]->reply.error));
    } else if (!waits[i]->reply.error) {
      context.note("'" + dirs[i].name() + "' exited with " + std::to_string(waits[i]->reply.code));
    }
  }
  context.emit({{"sessions", std::move(sessions)}});
  return wait_answer(context, *waits[chosen]);
}

Result<int> run_wait(Context& context, const Args& args) {
  const auto wanted = HF_TRY(wanted_state(args));
  const bool any = args.flag("any");
  std::vector<session::SessionDir> dirs;
  for (const std::string& name : args.arguments()) {
    dirs.push_back(HF_TRY(find_session(context, name)));
  }
  const Allowed allowed = within_budget(args.duration("timeout"), context.runtime().clock().mono());
  const Waits waits =
      HF_TRY(loop::wait_for_sessions(context.runtime(), context, dirs, wanted,
                                     any ? loop::WaitFor::kAny : loop::WaitFor::kAll, allowed));
  if (!any && dirs.size() > 1) return answer_all(context, dirs, waits);
  const std::size_t first = any ? first_of_any(waits, wanted.has_value()) : 0;
  if (waits[first]->view || any) context.emit(waited_json(context, dirs[first], *waits[first]));
  const bool is_over = waits[first]->reply.code == 0 || !waits[first]->reply.error ||
                       waits[first]->reply.error->code != ErrorCode::kBusy;
  if (any && is_over) context.print(dirs[first].name() + "\n");
  return wait_answer(context, *waits[first]);
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
