// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/session/run_manual.h"
#include "cli/session/run_perform.h"
#include "cli/session/session_found.h"
#include "loop/intent/claims.h"
#include "os/machine/random.h"
#include "os/spawn/env.h"
#include "os/spawn/inherited.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

constexpr Duration kLockWait = std::chrono::seconds(10);

Error not_over(const std::string& name, ErrorCode code, std::string_view cause,
               std::string detail) {
  return {.code = code,
          .op = "resume the session",
          .subject = "'" + name + "'",
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was started"};
}

// What is counted by its owner must not run again behind its back.
Result<> refuse_owned(const Context& context, const session::SessionDir& dir, const Id128& run) {
  const Home* const home = HF_TRY(context.runtime().find_home());
  if (home == nullptr) return {};  // nor an owner
  const auto owner = HF_TRY(loop::owner_of(home->dir(), dir, run));
  if (!owner) return {};
  return fail(not_over(dir.name(), ErrorCode::kUsage, "counted-elsewhere",
                       "its runs belong to " + owner->what + "; use `" + owner->instead + "`"));
}

// A first look, for a good answer. The one that counts is made under the lock of the name
// (run/orphan/old_run.h).
Result<SessionOrder> recorded_order(const Context& context, const session::SessionDir& dir) {
  auto view = HF_TRY(session::look(dir));
  if (!view) return fail(session::no_such_session(dir.name()));
  HF_TRY(refuse_owned(context, dir, view->record.run));
  if (!view->known) {
    return fail(not_over(dir.name(), ErrorCode::kCannotTell, "session-unknown",
                         "whether its last run is over cannot be told (" + view->evidence + ")"));
  }
  if (view->state == SessionState::kOrphaned) {
    return fail(not_over(
        dir.name(), ErrorCode::kCannotTell, "session-orphaned",
        "its supervisor is gone and its processes may still run; `holdfast adopt " + dir.name() +
            "` takes them over, `holdfast stop " + dir.name() + "` ends them"));
  }
  if (!is_final(view->state)) {
    return fail(not_over(dir.name(), ErrorCode::kBusy, "session-live",
                         "it is " + std::string(to_text(view->state))));
  }
  return std::move(view->record.order);
}

Result<int> run_resume(Context& context, const Args& args) {
  os::Handle status;
  if (const auto fd = args.integer("status-fd")) status = HF_TRY(os::adopt_for_writing(*fd));
  const session::SessionDir dir = HF_TRY(find_session(context, args.arguments().front()));
  run::RunOrder order;
  order.what = HF_TRY(recorded_order(context, dir));
  order.name = dir.name();
  order.run = HF_TRY(os::random_id());
  order.lock_wait = kLockWait;
  if (args.flag("detach")) {
    HF_TRY(refuse_inside_run("--detach", kInsteadOfDetach));
    order.ground = run::Ground::kBack;
  }
  if (context.json()) order.stdout_to = os::StdoutTo::kStderr;
  return perform_run(context, order, std::move(status));
}

constexpr std::array kResumeOptions{
    OptionSpec{.name = "detach",
               .letter = 'd',
               .help = "print the session's name and return as soon as the command runs"},
    OptionSpec{.name = "status-fd",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "report on descriptor N, as JSON, whether the exit code is holdfast's or "
                       "the command's"},
};
constexpr std::array kResumeArguments{kSessionArgument};

constexpr std::array kResumeExamples{
    Example{.line = "holdfast resume fix-160", .says = "The same command again, in its directory"},
    Example{.line = "holdfast resume fix-160 --detach", .says = "The same in the background"},
};

}  // namespace

constinit const CommandSpec kResumeCommand{
    .name = "resume",
    .summary = "run the recorded command of a session again",
    .description =
        "Runs what the session's last run was asked to run, once more: the same command in the "
        "same directory, with the same limits, locks and verification, under the same name. The "
        "old record and log go to `runs/`; the deadline begins anew.\n\n"
        "It needs the proof that nothing of the last run is left: a final record, or a tree that "
        "is provably gone (its control group is empty; the machine was booted since). An orphan, "
        "and a session that cannot be judged from here, is 69, and one that lives 75.\n\n"
        "A session of a step, a series or an item of a loop is refused (64): they count their "
        "runs, and the answer names the command to use.\n\n"
        "The environment is that of this command, with what --env had set. Answers and codes "
        "are those of `run`.",
    .options = kResumeOptions,
    .arguments = kResumeArguments,
    .examples = kResumeExamples,
    .exits = kRunExits,
    .json_fields = kRunFields,
    .run = run_resume,
};

}  // namespace holdfast::cli
