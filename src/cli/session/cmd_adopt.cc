// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/session/run_perform.h"
#include "cli/session/session_found.h"
#include "run/orphan/adopt.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> run_adopt(Context& context, const Args& args) {
  HF_TRY(refuse_inside_run("adopt", "call it from outside"));
  const Clock& clock = context.runtime().clock();
  session::SessionDir dir = HF_TRY(find_session(context, args.arguments().front()));
  const std::string name = dir.name();
  lock::LocalBackend* locks = HF_TRY(context.runtime().locks());
  const run::OrphanServices services{
      .clock = clock, .events = context.runtime().events(), .locks = *locks};
  const os::Pid supervisor = HF_TRY(run::adopt_session(services, std::move(dir)));
  context.emit({{"name", name}, {"state", "running"}, {"supervisor", os::number(supervisor)}});
  context.print(name + "\n");
  return to_int(ExitCode::kDone);
}

constexpr std::array kAdoptArguments{kSessionArgument};

constexpr std::array kAdoptExamples{
    Example{.line = "holdfast adopt fix-160",
            .says = "Take over from a supervisor that was killed"},
};

constexpr std::array kAdoptExits{
    ExitNote{ExitCode::kDone, "it has a supervisor again, and its record says so"},
    ExitNote{ExitCode::kUsage, "also inside a run, which would end the new supervisor with it"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged; it was left as it is"},
    ExitNote{ExitCode::kNo, "there is no such session, or it is over"},
    ExitNote{ExitCode::kCannotTell,
             "it cannot be judged from here; or it has no control group and its command is gone, "
             "so that there is nothing to watch"},
    ExitNote{ExitCode::kBusy, "its supervisor lives, or somebody else is taking care of it"},
    ExitNote{ExitCode::kRefused, "its record names processes that are not the session's"},
};

constexpr std::array kAdoptFields{
    JsonField{"name", "of the session"},
    JsonField{"state", "`running`"},
    JsonField{"supervisor", "the number of the new supervisor"},
};

}  // namespace

constinit const CommandSpec kAdoptCommand{
    .name = "adopt",
    .summary = "give an orphaned session a new supervisor",
    .description =
        "The supervisor of a session was killed, and its command runs on. A new supervisor, in "
        "the background, takes over: it keeps the deadline, goes on with the log, can be asked to "
        "stop the session, verifies the outcome and writes the final record.\n\n"
        "It is not the parent of the command, so the kernel tells it how the command ended only "
        "where it keeps that for others to ask (Linux 6.15 and later); elsewhere the session ends "
        "as `lost`. The end of the tree is proven by its control group. Without one, the command "
        "is watched, and when it has ended the session is `orphaned` again: nothing proves that "
        "it is all (`stop --assume-gone`).\n\n"
        "What the command printed while nobody listened, up to 64 KiB, is kept for the new "
        "supervisor; then the command waits. If the log cannot be continued, the record says "
        "so.\n\n"
        "Of several that adopt or stop the same session at once, one succeeds.",
    .arguments = kAdoptArguments,
    .examples = kAdoptExamples,
    .exits = kAdoptExits,
    .json_fields = kAdoptFields,
    .run = run_adopt,
};

}  // namespace holdfast::cli
