// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/harness_caller.h"
#include "cli/workspace/harness_wrap.h"

namespace holdfast::cli {
namespace {

Result<int> run_session_resume(Context& context, const Args& args) {
  const std::string& name = args.arguments().front();
  const session::AttachRequest request = HF_TRY(caller_of(args));
  const auto& sessions = *HF_TRY(sessions_with(context, name));
  return attach_and_run(context, sessions, name, request, AttachAs::kResume, args.trailing());
}

constexpr std::array kSessionResumeArguments{kHarnessArgument};

constexpr std::array kSessionResumeExamples{
    Example{.line = "holdfast session resume f -- sh -c 'agent --resume \"$HOLDFAST_RESUME_ID\"'",
            .says = "Go on where it was left, and be the only one who does"},
    Example{.line = "ID=$(holdfast session resume fix-160) || exit",
            .says = "The resume id alone; the script owns the session until it ends"},
};

constexpr std::array kSessionResumeExits{
    ExitNote{ExitCode::kUsage, "also where the owner cannot be told: name it with --owner $$"},
    ExitNote{ExitCode::kNo, "there is no such session, or no resume id is recorded"},
    ExitNote{ExitCode::kNotDurable, "resumed, but a power cut may still undo the record of it"},
    ExitNote{ExitCode::kBusy, "it has an owner that lives or cannot be judged, and who is named"},
    ExitNote{ExitCode::kRefused, "it has ended, or its directory is still being made"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

}  // namespace

constinit const CommandSpec kSessionResumeCommand{
    .name = "session resume",
    .summary = "own a session and get its resume id",
    .description =
        "Attaches the caller as the owner and hands out the resume id that `session new` or "
        "`session set` recorded. Of several who ask at once exactly one gets it; the others are "
        "told who has the session. It is handed out again only when the owner has left or is "
        "proven dead.\n\n"
        "With a command the session is owned as long as the command runs, whose exit code is "
        "passed on. It is told HOLDFAST_RESUME_ID, HOLDFAST_SESSION, HOLDFAST_SESSION_DIR and "
        "HOLDFAST_TOKEN. (`holdfast resume` is another command: it runs the command of a "
        "`holdfast run` again.)",
    .options = kCallerOptions,
    .arguments = kSessionResumeArguments,
    .trailing = Trailing::kOptionalCommand,
    .examples = kSessionResumeExamples,
    .exits = kSessionResumeExits,
    .json_fields = kAttachFields,
    .run = run_session_resume,
};

}  // namespace holdfast::cli
