// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_caller.h"
#include "cli/workspace/workspace_found.h"
#include "format/json/json.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_attach.h"

namespace holdfast::cli {
namespace {

Result<int> detach_others(Context& context, const session::SessionStore& sessions,
                          const std::string& name) {
  const auto gone = HF_TRY(session::detach_unseen(sessions, name));
  const auto record = HF_TRY(session::read_workspace(sessions, name));
  const std::size_t left = record ? record->attached.size() : 0;
  for (const Attachment& one : gone) {
    EventData data;
    data.text("name", name).flag("guest", one.guest).text("what", "forced").count("left", left);
    if (one.process) data.number("pid", one.process->pid);
    tell_or_warn(context, {.type = "workspace.detached", .data = std::move(data)});
    context.note("detached: " + printable(session::attachment_text(one)));
  }
  context.emit({{"name", bytes_to_json(name)}, {"guest", nullptr}, {"left", left}});
  context.print("left: " + std::to_string(left) + "\n");
  return to_int(ExitCode::kDone);
}

Result<int> run_workspace_detach(Context& context, const Args& args) {
  const std::string& name = args.arguments().front();
  const auto& sessions = *HF_TRY(sessions_with(context, name));
  if (args.flag("force")) return detach_others(context, sessions, name);
  const session::Claim claim = HF_TRY(claim_of(args, name));
  const session::Detached done = HF_TRY(session::detach(sessions, name, claim));
  EventData data;
  data.text("name", name).flag("guest", done.who.guest).count("left", done.left);
  if (done.who.process) data.number("pid", done.who.process->pid);
  tell_or_warn(context, {.type = "workspace.detached", .data = std::move(data)});
  context.emit({{"name", bytes_to_json(name)}, {"guest", done.who.guest}, {"left", done.left}});
  context.print("left: " + std::to_string(done.left) + "\n");
  return to_int(ExitCode::kDone);
}

constexpr std::array kWorkspaceDetachOptions{
    kWorkspaceTokenOption,
    OptionSpec{.name = "force",
               .help =
                   "detach everybody who is not seen to run here: those of `--owner none` whose "
                   "token is lost, and those whom nobody can judge. It goes on record"},
};
constexpr std::array kWorkspaceDetachArguments{kWorkspaceArgument};

constexpr std::array kWorkspaceDetachExamples{
    Example{.line = "holdfast workspace detach fix-160",
            .says = "In the script or shell that attached, or that made it"},
    Example{.line = "holdfast workspace detach f --json | jq -e '.left == 0' && podman stop f",
            .says = "Stop the container when the last one leaves"},
};

constexpr std::array kWorkspaceDetachExits{
    ExitNote{ExitCode::kDone, "detached; the others stay"},
    ExitNote{ExitCode::kNo, "there is no such workspace"},
    ExitNote{ExitCode::kNotDurable, "detached, but a power cut may still undo it"},
    ExitNote{ExitCode::kRefused,
             "the token is nobody's who is attached, or the caller is not "
             "attached; nothing was changed"},
};

constexpr std::array kWorkspaceDetachFields{
    JsonField{"name", "of the workspace"},
    JsonField{"guest", "it was a guest who left; null with --force"},
    JsonField{"left", "how many are attached still, those who cannot be judged included"},
};

}  // namespace

constinit const CommandSpec kWorkspaceDetachCommand{
    .name = "workspace detach",
    .summary = "leave a workspace; whoever else is there stays",
    .description =
        "Ends one attachment: that of the token, or without one that of the calling shell or "
        "program, of several the newest. It prints how many are left: with `left: 0` nobody works "
        "in the workspace any more, as far as can be told. The workspace itself goes on; "
        "`workspace end` "
        "ends it.",
    .options = kWorkspaceDetachOptions,
    .arguments = kWorkspaceDetachArguments,
    .examples = kWorkspaceDetachExamples,
    .exits = kWorkspaceDetachExits,
    .json_fields = kWorkspaceDetachFields,
    .run = run_workspace_detach,
};

}  // namespace holdfast::cli
