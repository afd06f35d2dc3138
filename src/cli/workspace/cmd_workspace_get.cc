// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_caller.h"
#include "cli/workspace/workspace_fields.h"
#include "cli/workspace/workspace_found.h"
#include "cli/workspace/workspace_view.h"
#include "format/json/json.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> run_workspace_get(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const std::string& name = args.arguments().front();
  WorkspaceFound found = HF_TRY(find_workspace(context, name));
  const WorkspaceFacts facts = HF_TRY(facts_of(*found.sessions, std::move(found.record)));
  if (args.arguments().size() == 1) {
    context.emit(workspace_json(facts));
    context.print(workspace_text(facts, clock.wall()));
    return to_int(ExitCode::kDone);
  }
  const std::string& key = args.arguments()[1];
  const auto value = fact_of(facts, key);
  if (!value) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "get",
                 .subject = "'" + key + "' of the workspace '" + name + "'",
                 .cause = "no-such-field",
                 .detail = "it has none"});
  }
  context.emit({{"name", bytes_to_json(name)}, {"key", key}, {"value", bytes_to_json(*value)}});
  context.print(*value + "\n");
  return to_int(ExitCode::kDone);
}

constexpr std::array kWorkspaceGetArguments{
    kWorkspaceArgument,
    ArgumentSpec{.name = "KEY",
                 .help =
                     "only the value of this field of the harness's own, of `dir`, `resume-id`, "
                     "`authority`, `state`, or of a field of --json",
                 .arity = Arity::kOptional},
};

constexpr std::array kWorkspaceGetExamples{
    Example{.line = "holdfast workspace get fix-160", .says = "All that is known of it"},
    Example{.line = "cd \"$(holdfast workspace get fix-160 dir)\"", .says = "Go to its directory"},
    Example{.line = "holdfast workspace get fix-160 branch",
            .says = "What `workspace set fix-160 branch=…` said"},
};

constexpr std::array kWorkspaceGetExits{
    ExitNote{ExitCode::kDone, "shown"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged; it was left as it is"},
    ExitNote{ExitCode::kNo, "there is no such workspace, or it has no such field"},
    ExitNote{ExitCode::kCannotTell, "its record is of a newer holdfast"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
};

constexpr auto kWorkspaceGetFields = [] {
  std::array<JsonField, kWorkspaceFields.size() + 2> fields{};
  std::ranges::copy(kWorkspaceFields, fields.begin());
  fields[kWorkspaceFields.size()] = {"key", "with KEY there is nothing but `name`, this"};
  fields.back() = {"value", "and its value"};
  return fields;
}();

}  // namespace

constinit const CommandSpec kWorkspaceGetCommand{
    .name = "workspace get",
    .summary = "show a workspace",
    .description =
        "Shows the record of the workspace, and who is attached as the kernel knows it now; with "
        "KEY "
        "the value alone. Whether what it stands for still lives is not asked: `holdfast gc "
        "--plan` does. Tokens are not shown.",
    .arguments = kWorkspaceGetArguments,
    .examples = kWorkspaceGetExamples,
    .exits = kWorkspaceGetExits,
    .json_fields = kWorkspaceGetFields,
    .run = run_workspace_get,
};

}  // namespace holdfast::cli
