// SPDX-License-Identifier: Apache-2.0
#include "cli/file/file_options.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_caller.h"
#include "cli/workspace/workspace_wrap.h"

namespace holdfast::cli {
namespace {

Result<int> run_workspace_attach(Context& context, const Args& args) {
  const std::string& name = args.arguments().front();
  session::AttachRequest request = HF_TRY(caller_of(args));
  request.guest = args.flag("guest");
  const auto& sessions = *HF_TRY(sessions_with(context, name));
  return attach_and_run(context, sessions, name, request, AttachAs::kAttach, args.trailing());
}

constexpr std::array kWorkspaceAttachOwnOptions{
    OptionSpec{.name = "guest", .help = "beside the owner, and whether there is one or not"},
};
constexpr auto kWorkspaceAttachOptions = joined(kWorkspaceAttachOwnOptions, kCallerOptions);
constexpr std::array kWorkspaceAttachArguments{kWorkspaceArgument};

constexpr std::array kWorkspaceAttachExamples{
    Example{.line = "holdfast workspace attach fix-160 -- podman exec -it fix-160 bash",
            .says = "Attached while the command runs"},
    Example{.line = "holdfast workspace attach fix-160 --guest -- ./watch",
            .says = "Look on from a second terminal"},
    Example{.line = "T=$(holdfast workspace attach fix-160) || exit",
            .says = "Attached until the script ends, or until `workspace detach`"},
};

constexpr std::array kWorkspaceAttachExits{
    ExitNote{ExitCode::kUsage, "also where the owner cannot be told: name it with --owner $$"},
    ExitNote{ExitCode::kNo, "there is no such workspace"},
    ExitNote{ExitCode::kNotDurable, "attached, but a power cut may still undo it"},
    ExitNote{ExitCode::kBusy,
             "it has an owner that lives or cannot be judged, and who is named; "
             "or as many are attached as there can be"},
    ExitNote{ExitCode::kRefused, "it has ended, or its directory is still being made"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found"},
};

}  // namespace

constinit const CommandSpec kWorkspaceAttachCommand{
    .name = "workspace attach",
    .summary = "work in a workspace, alone or as a guest",
    .description =
        "Attaches the calling shell or program to the workspace and prints a token. There is one "
        "owner at a time; guests (--guest) come and go beside it, and nobody's leaving detaches "
        "anybody else. An attachment ends with `workspace detach`, or when its process does: an "
        "owner that is proven dead is in nobody's way, one that cannot be judged from here (in "
        "another container) is.\n\n"
        "With a command the attachment lasts as long as the command, whose exit code is passed on, "
        "and as long as a `holdfast run` below it; `gc` keeps the directory while anything runs "
        "that was started below it. "
        "It is told HOLDFAST_WORKSPACE, HOLDFAST_WORKSPACE_DIR and HOLDFAST_TOKEN.",
    .options = kWorkspaceAttachOptions,
    .arguments = kWorkspaceAttachArguments,
    .trailing = Trailing::kOptionalCommand,
    .examples = kWorkspaceAttachExamples,
    .exits = kWorkspaceAttachExits,
    .json_fields = kAttachFields,
    .run = run_workspace_attach,
};

}  // namespace holdfast::cli
