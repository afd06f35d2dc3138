// SPDX-License-Identifier: Apache-2.0
#include "cli/file/file_options.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/user_file.h"
#include "cli/workspace/workspace_authority.h"
#include "cli/workspace/workspace_caller.h"
#include "cli/workspace/workspace_fields.h"
#include "cli/workspace/workspace_found.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"
#include "runtime/runtime.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::cli {
namespace {

Result<session::WorkspaceRequest> workspace_request_of(const Args& args) {
  session::WorkspaceRequest order;
  if (!args.arguments().empty()) order.name = args.arguments().front();
  if (const auto prefix = args.text("prefix")) order.prefix = *prefix;
  HF_TRY(check_prefix(args));
  if (const auto dir = args.text("dir")) {
    order.directory = HF_TRY(absolute_path(*dir));
  }
  order.resume_id = HF_TRY(resume_id_option(args));
  order.ttl = HF_TRY(ttl_option(args));
  session::AttachRequest caller = HF_TRY(caller_of(args));
  order.owner = caller.process;
  order.what = std::move(caller.what);
  order.authority = HF_TRY(authority_option(args));  // last, as it may take seconds
  return order;
}

void tell_made(Context& context, const WorkspaceRecord& record, const std::string& directory) {
  EventData data;
  data.text("name", record.name).text("dir", directory);
  if (record.authority) data.text("authority", to_text(*record.authority));
  if (const auto& owner = record.attached.front().process) data.number("pid", owner->pid);
  tell_or_warn(context, {.type = "workspace.created", .data = std::move(data)});
}

Result<int> run_workspace_new(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  std::optional<os::Dir> from;
  if (const auto path = args.text("from")) from = HF_TRY(os::Dir::open_following_links(*path));
  session::WorkspaceRequest order = HF_TRY(workspace_request_of(args));
  order.from = from ? &*from : nullptr;
  const auto& sessions = *HF_TRY(context.runtime().workspaces());
  HF_TRY(check_container_is_new(sessions, order));
  const session::WorkspaceMade made = HF_TRY(session::make_workspace(sessions, order, clock));
  const std::string directory = HF_TRY(session::directory_of(sessions, made.record));
  context.emit({{"name", bytes_to_json(made.record.name)},
                {"dir", bytes_to_json(directory)},
                {"token", to_hex(made.token)},
                {"id", to_hex(made.record.id)},
                {"created", format_rfc3339(made.record.created)}});
  context.print(made.record.name + "\n" + directory + "\n");
  tell_made(context, made.record, directory);
  HF_TRY(check_heard(context, sessions, made, clock));
  if (made.not_durable) context.report(*made.not_durable);
  return to_int(made.not_durable ? ExitCode::kNotDurable : ExitCode::kDone);
}

constexpr std::array kWorkspaceNewOwnOptions{
    OptionSpec{.name = "prefix",
               .kind = OptionKind::kText,
               .value = "P",
               .help = "without NAME: what the made-up name starts with (default `s`)"},
    kAuthorityOption,
    kResumeIdOption,
    kTtlOption,
    OptionSpec{.name = "dir",
               .kind = OptionKind::kPath,
               .value = "PATH",
               .help = "make the directory there instead of in the home; `{name}` stands for the "
                       "name. It must not exist, and its parent must"},
    OptionSpec{.name = "from",
               .kind = OptionKind::kPath,
               .value = "TEMPLATE",
               .help = "fill it with a copy of this directory"},
};
constexpr auto kWorkspaceNewOptions = joined(kWorkspaceNewOwnOptions, kCallerOptions);

constexpr std::array kWorkspaceNewArguments{ArgumentSpec{
    .name = "NAME", .help = "the name; without it one is made up", .arity = Arity::kOptional}};

constexpr std::array kWorkspaceNewExamples{
    Example{.line = "holdfast workspace new fix-160 --authority podman:fix-160",
            .says = "A workspace that lives as long as there is such a container"},
    Example{.line = "D=$(holdfast workspace new --prefix job --from ./template | tail -n 1)",
            .says = "A name of its own, and a directory with a copy of the template"},
    Example{.line = "holdfast workspace new --dir '/srv/w/{name}' --ttl 2d --json | jq -r .token",
            .says = "Elsewhere; ended after two days without a sign of life"},
};

constexpr std::array kWorkspaceNewExits{
    ExitNote{ExitCode::kUsage, "also where the owner cannot be told: name it with --owner $$"},
    ExitNote{ExitCode::kCorrupt, "the template has something that is not copied; it is named"},
    ExitNote{ExitCode::kNo,
             "the template, the parent of --dir or the process of --authority is "
             "not there"},
    ExitNote{ExitCode::kCannotTell, "the engine of --authority does not answer; nothing was made"},
    ExitNote{ExitCode::kNotDurable, "it is made, but a power cut may still take it"},
    ExitNote{ExitCode::kBusy,
             "the name or the path is taken (what is there is named), or the "
             "template changed meanwhile; nothing was made"},
    ExitNote{
        ExitCode::kRefused,
        "the path is unsafe or holdfast's own, or the container of --authority exists already"},
};

constexpr std::array kWorkspaceNewFields{
    JsonField{"name", "of the workspace"},
    JsonField{"dir", "where the harness has its files"},
    JsonField{"token", "the secret with which the owner changes, leaves and ends it"},
    JsonField{"id", "of this workspace and of no later one of the same name"},
    JsonField{"created", "when it was made"},
};

}  // namespace

constinit const CommandSpec kWorkspaceNewCommand{
    .name = "workspace new",
    .summary = "make a workspace: a name, a directory, a record",
    .description =
        "Takes the name, makes the directory (0700) and prints both, one per line. The name is "
        "taken by one caller only, however many ask at once, and whoever finds it finds the whole: "
        "a template is copied before. In the home the directory also holds holdfast's own files "
        "(`harness.json`, `harness.lock`, and what `holdfast run` of the same name writes); with "
        "--dir it holds only the harness's.\n\n"
        "The calling shell or program is attached as the owner: while it lives, nobody else can "
        "attach as one, and `holdfast gc` keeps the directory. Afterwards --authority decides: "
        "who it names is asked, and only a clear answer that it is gone counts. Without an "
        "authority a workspace is kept until `workspace end`, or until its --ttl has passed.\n\n"
        "Of a template, files, directories and relative links that stay inside are copied; a link "
        "that leaves it, a socket, a FIFO, a device, a mount and names of holdfast's own files are "
        "refused before anything is made. Modes are never wider than they were, and what neither "
        "group nor others could read stays so.",
    .options = kWorkspaceNewOptions,
    .arguments = kWorkspaceNewArguments,
    .examples = kWorkspaceNewExamples,
    .exits = kWorkspaceNewExits,
    .json_fields = kWorkspaceNewFields,
    .run = run_workspace_new,
};

}  // namespace holdfast::cli
