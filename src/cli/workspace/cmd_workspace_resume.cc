// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_caller.h"
#include "cli/workspace/workspace_wrap.h"

namespace holdfast::cli {
namespace {

Result<int> run_workspace_resume(Context& context, const Args& args) {
  const std::string& name = args.arguments().front();
  const session::AttachRequest request = HF_TRY(caller_of(args));
  const auto& sessions = *HF_TRY(sessions_with(context, name));
  return attach_and_run(context, sessions, name, request, AttachAs::kResume, args.trailing());
}

constexpr std::array kWorkspaceResumeArguments{kWorkspaceArgument};

constexpr std::array kWorkspaceResumeExamples{
    Example{.line = "holdfast workspace resume f -- sh -c 'agent --resume \"$HOLDFAST_RESUME_ID\"'",
            .says = "Go on where it was left, and be the only one who does"},
    Example{.line = "ID=$(holdfast workspace resume fix-160) || exit",
            .says = "The resume id alone; the script owns the workspace until it ends"},
};

constexpr std::array kWorkspaceResumeExits{
    ExitNote{ExitCode::kUsage, "also where the owner cannot be told: name it with --owner $$"},
    ExitNote{ExitCode::kNo, "there is no such workspace, or no resume id is recorded"},
    ExitNote{ExitCode::kNotDurable, "resumed, but a power cut may still undo the record of it"},
    ExitNote{ExitCode::kBusy, "it has an owner that lives or cannot be judged, and who is named"},
    ExitNote{ExitCode::kRefused, "it has ended, or its directory is still being made"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

}  // namespace

constinit const CommandSpec kWorkspaceResumeCommand{
    .name = "workspace resume",
    .summary = "own a workspace and get its resume id",
    .description =
        "Attaches the caller as the owner and hands out the resume id that `workspace new` or "
        "`workspace set` recorded. Of several who ask at once exactly one gets it; the others are "
        "told who has the workspace. It is handed out again only when the owner has left or is "
        "proven dead.\n\n"
        "With a command the workspace is owned as long as the command runs, whose exit code is "
        "passed on. It is told HOLDFAST_RESUME_ID, HOLDFAST_WORKSPACE, HOLDFAST_WORKSPACE_DIR and "
        "HOLDFAST_TOKEN. (`holdfast resume` is another command: it runs the command of a "
        "`holdfast run` again.)",
    .options = kCallerOptions,
    .arguments = kWorkspaceResumeArguments,
    .trailing = Trailing::kOptionalCommand,
    .examples = kWorkspaceResumeExamples,
    .exits = kWorkspaceResumeExits,
    .json_fields = kAttachFields,
    .run = run_workspace_resume,
};

}  // namespace holdfast::cli
