// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_authority.h"
#include "cli/workspace/workspace_caller.h"
#include "cli/workspace/workspace_fields.h"
#include "cli/workspace/workspace_found.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

Result<int> run_workspace_set(Context& context, const Args& args) {
  const std::string& name = args.arguments().front();
  const auto& sessions = *HF_TRY(sessions_with(context, name));
  // The engine is asked before the workspace's lock is taken.
  const WorkspaceChanges changes = HF_TRY(changes_of(args));
  const session::Claim claim = HF_TRY(claim_of(args, name));
  const WorkspaceRecord record =
      HF_TRY(session::change(sessions, name, claim, [&](WorkspaceRecord& now) -> Result<> {
        changes.apply(now);
        return {};
      }));
  const std::vector<std::string> keys = changes.keys();
  if (!keys.empty()) {
    tell_or_warn(context, {.type = "workspace.changed",
                           .data = EventData().text("name", name).texts("keys", keys)});
  }
  context.emit({{"name", bytes_to_json(name)}, {"keys", keys}, {"change", record.change}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kWorkspaceSetOptions{
    OptionSpec{.name = "unset",
               .kind = OptionKind::kText,
               .value = "KEY",
               .help = "take this field away",
               .repeat = Repeat::kMany},
    kAuthorityOption,
    OptionSpec{.name = "no-authority", .help = "nobody vouches for it any more"},
    kResumeIdOption,
    kTtlOption,
    OptionSpec{.name = "no-ttl", .help = "silence does not end it any more"},
    kWorkspaceTokenOption,
};
constexpr std::array kWorkspaceSetArguments{
    kWorkspaceArgument,
    ArgumentSpec{.name = "KEY=VALUE", .help = "a field of the harness's own", .arity = Arity::kAny},
};

constexpr std::array kWorkspaceSetExamples{
    Example{.line = "holdfast workspace set fix-160 --resume-id \"$ID\" branch=fix/160",
            .says = "Remember what is needed to go on later"},
    Example{.line = "holdfast workspace set fix-160", .says = "Only a sign of life, for its --ttl"},
    Example{.line = "holdfast workspace set fix-160 --authority podman:fix-160",
            .says = "From now on this container vouches for it"},
};

constexpr std::array kWorkspaceSetExits{
    ExitNote{ExitCode::kDone, "it is on record"},
    ExitNote{ExitCode::kNo, "there is no such workspace, or no process of --authority"},
    ExitNote{ExitCode::kCannotTell, "the engine of --authority does not answer; nothing changed"},
    ExitNote{ExitCode::kNotDurable, "it is on record, but a power cut may still undo it"},
    ExitNote{ExitCode::kBusy, "somebody else is changing it, for longer than 5 seconds"},
    ExitNote{ExitCode::kRefused,
             "it has an owner, who is named, and the caller is not attached; "
             "the token is wrong; it has ended; the record would be too long"},
};

constexpr std::array kWorkspaceSetFields{
    JsonField{"name", "of the workspace"},
    JsonField{"keys", "what was set or taken away; empty for a mere sign of life"},
    JsonField{"change", "a number that rises with every change"},
};

}  // namespace

constinit const CommandSpec kWorkspaceSetCommand{
    .name = "workspace set",
    .summary = "change the record of a workspace",
    .description =
        "Sets fields of the harness's own, the resume id, the authority or the ttl, in one step. "
        "Every call is a sign of life, also one that sets nothing. While somebody owns the "
        "workspace, only who is attached may do it: the owner's process, or whoever has a token.",
    .options = kWorkspaceSetOptions,
    .arguments = kWorkspaceSetArguments,
    .examples = kWorkspaceSetExamples,
    .exits = kWorkspaceSetExits,
    .json_fields = kWorkspaceSetFields,
    .run = run_workspace_set,
};

}  // namespace holdfast::cli
