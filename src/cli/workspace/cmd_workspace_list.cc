// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_view.h"
#include "runtime/runtime.h"
#include "session/workspace/workspace.h"

namespace holdfast::cli {
namespace {

struct WorkspaceListing {
  std::vector<WorkspaceRow> rows{};
  std::size_t over = 0;
  std::optional<Error> trouble{};  // with the first that could not be read
};

// nullopt: it is no workspace.
Result<std::optional<WorkspaceFacts>> workspace_list_look_at(const session::SessionStore& store,
                                                             const std::string& name) {
  auto record = HF_TRY(session::read_workspace(store, name));
  if (!record) return std::nullopt;
  return HF_TRY(facts_of(store, *std::move(record)));
}

void workspace_list_add(WorkspaceListing& listing, const session::SessionStore& store,
                        Result<std::optional<WorkspaceFacts>> found, const std::string& name,
                        const Args& args) {
  if (!found) {
    if (!listing.trouble) listing.trouble = found.error();
    listing.rows.emplace_back(UnreadWorkspace{.name = name, .why = std::move(found).error()});
    return;
  }
  if (!*found) {
    // It may have gone, or be one of `holdfast run`; else nobody knows what it is.
    const auto dir = store.find(name);
    if (args.text("state") || !dir || !*dir) return;
    const auto run = (*dir)->read();
    if (run && !*run) {
      listing.rows.emplace_back(NoRecord{.name = name, .directory = (*dir)->dir().path()});
    }
    return;
  }
  const WorkspaceState state = (*found)->record.state;
  const auto wanted = args.text("state");
  if (wanted && *wanted != to_text(state)) return;
  if (!wanted && !args.flag("all") && state == WorkspaceState::kEnded) {
    ++listing.over;
    return;
  }
  listing.rows.emplace_back(**std::move(found));
}

Result<int> run_workspace_list(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  WorkspaceListing listing;
  if (const auto* store = HF_TRY(context.runtime().find_workspaces()); store != nullptr) {
    for (const std::string& name : HF_TRY(store->names())) {
      workspace_list_add(listing, *store, workspace_list_look_at(*store, name), name, args);
    }
  }
  Json workspaces = Json::array();
  for (const WorkspaceRow& row : listing.rows) workspaces.push_back(workspace_row_json(row));
  context.emit({{"workspaces", std::move(workspaces)}});
  if (!listing.rows.empty()) context.print(workspace_table(context, listing.rows, clock.wall()));
  if (listing.over != 0) {
    context.note(std::to_string(listing.over) + " ended hidden (use --all)");
  }
  if (listing.rows.empty() && listing.over == 0) context.note("there is no such workspace here");
  if (!listing.trouble) return to_int(ExitCode::kDone);
  context.report(*listing.trouble);
  return to_int(ExitCode::kCannotTell);
}

constexpr std::array kWorkspaceListOptions{
    OptionSpec{.name = "state",
               .kind = OptionKind::kChoice,
               .value = "reserved|ready|ended",
               .help = "only those in this state",
               .excludes = "all"},
    OptionSpec{.name = "all", .letter = 'a', .help = "also those that have ended"},
};

constexpr std::array kWorkspaceListExamples{
    Example{.line = "holdfast workspace list", .says = "Those that have not ended"},
    Example{.line = "holdfast workspace list --json | jq '.workspaces[]|select(.owner|not).name'",
            .says = "Those that nobody owns now"},
};

constexpr std::array kWorkspaceListExits{
    ExitNote{ExitCode::kDone, "listed; there may be none"},
    ExitNote{ExitCode::kCannotTell, "one cannot be read; all are listed, that one with the reason"},
};

constexpr std::array kWorkspaceListFields{
    JsonField{
        "workspaces",
        "a list of what `holdfast workspace get` has for each, in the order of their names; of "
        "one that cannot be read `name`, `state` null and `error`; of a directory without any "
        "record `name`, `state` `no-record` and `dir`"},
};

}  // namespace

constinit const CommandSpec kWorkspaceListCommand{
    .name = "workspace list",
    .summary = "list the workspaces",
    .description =
        "Shows the workspaces that `workspace new` or `gc --adopt-dir` made, with who owns them "
        "now. "
        "Sessions are not listed here; `holdfast ps` lists those. What cannot be "
        "read is listed with the reason and never left out; so is a directory without a record "
        "(`no-record`), which `gc` keeps and a person may remove.",
    .options = kWorkspaceListOptions,
    .examples = kWorkspaceListExamples,
    .exits = kWorkspaceListExits,
    .json_fields = kWorkspaceListFields,
    .run = run_workspace_list,
};

}  // namespace holdfast::cli
