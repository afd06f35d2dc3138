// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/budget.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "cli/process/kill_order.h"
#include "cli/session/session_found.h"
#include "cli/session/stop_answer.h"
#include "loop/series/stop_series.h"
#include "os/machine/real_clock.h"
#include "run/orphan/stop.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

Result<run::StopOrder> stop_order(const Args& args) {
  run::StopOrder order;
  order.grace = args.duration("grace");
  const MonoTime now = os::RealClock().mono();
  const auto most = within_budget(args.duration("wait"), now).time;
  if (most) order.until = after(now, *most);
  if (const auto signal = args.text("signal")) order.signal = HF_TRY(parse_signal(*signal));
  order.assume_gone = args.flag("assume-gone");
  order.reason = args.text("reason").value_or("");
  if (order.assume_gone != !order.reason.empty()) {
    return fail(usage_error("conflict", "use", order.assume_gone ? "--assume-gone" : "--reason",
                            "--assume-gone and --reason TEXT go together"));
  }
  if (order.assume_gone && (args.flag("all") || args.arguments().size() > 1)) {
    return fail(
        usage_error("conflict", "use", "--assume-gone", "it is said of one session, by its name"));
  }
  if (args.flag("all") == args.arguments().empty()) return order;
  return fail(usage_error("bad-target", "stop", args.flag("all") ? "NAME and --all" : "nobody",
                          "give either names or --all"));
}

// All but those that are over, and are on record as that, and have no next iteration. What cannot
// be read is among them: the answer says so.
Result<std::vector<std::string>> living_names(const session::SessionStore& sessions,
                                              lock::LocalBackend& locks, const Clock& clock) {
  std::vector<std::string> names;
  for (const session::SessionStore::Listed& one : HF_TRY(sessions.list())) {
    const bool lives = !one.record || (*one.record && !is_final((*one.record)->state));
    if (lives || loop::is_driven(locks, sessions, clock, one.name)) names.push_back(one.name);
  }
  return names;
}

Result<int> run_stop(Context& context, const Args& args) {
  const run::StopOrder order = HF_TRY(stop_order(args));
  const bool all = args.flag("all");
  const auto targets = all ? StopTargets::kAll : StopTargets::kNamed;
  const auto* sessions = HF_TRY(context.runtime().find_sessions());
  if (sessions == nullptr) {  // nor is a home made for it
    std::vector<run::StopReport> none;
    for (const std::string& name : args.arguments()) {
      none.push_back(
          {.name = name, .outcome = proc::KillOutcome::kGone, .evidence = "no-such-session"});
    }
    return answer_stop(context, none, targets);
  }
  const Clock& clock = context.runtime().clock();
  auto* locks = HF_TRY(context.runtime().locks());
  std::vector<std::string> names = args.arguments();
  if (all) names = HF_TRY(living_names(*sessions, *locks, clock));
  std::ranges::sort(names);
  const auto twice = std::ranges::unique(names);
  names.erase(twice.begin(), twice.end());
  const run::OrphanServices services{
      .clock = clock, .events = context.runtime().events(), .locks = *locks};
  const auto line =
      context.waiting(names.size() == 1 ? "'" + names.front() + "' to end"
                                        : std::to_string(names.size()) + " sessions to end");
  const auto reports = loop::stop_with_series(services, *sessions, names, order);
  flush_events(context);
  return answer_stop(context, reports, targets);
}

}  // namespace

constinit const CommandSpec kStopCommand{
    .name = "stop",
    .summary = "end sessions and all that they started",
    .description = kStopDescription,
    .options = kStopOptions,
    .arguments = kStopArguments,
    .examples = kStopExamples,
    .exits = kStopExits,
    .json_fields = kStopFields,
    .run = run_stop,
};

}  // namespace holdfast::cli
