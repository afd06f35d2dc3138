// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_authority.h"
#include "cli/workspace/workspace_caller.h"
#include "cli/workspace/workspace_found.h"
#include "format/json/json.h"
#include "gc/outside_trash.h"
#include "session/workspace/outside.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_release.h"

namespace holdfast::cli {
namespace {

Error stays(ErrorCode code, const std::string& name, std::string cause, std::string detail) {
  return {.code = code,
          .op = "forget the workspace",
          .subject = "'" + name + "'",
          .cause = std::move(cause),
          .detail = std::move(detail) + "; nothing was changed"};
}

// Whoever forgets a workspace whose directory lies in the trash loses sight of that directory.
Result<> check_not_in_trash(const session::SessionStore& sessions, const WorkspaceRecord& record) {
  auto entry = HF_TRY(session::confirmed_outside(sessions, record));
  if (!entry) return {};
  const auto outside = gc::open_outside(*std::move(entry));
  if (!outside) return {};
  if (HF_TRY(gc::where_is(*outside)) != gc::Lies::kInTrash) return {};
  return fail(stays(ErrorCode::kRefused, record.name, "in-the-trash",
                    "its directory lies in the trash beside its place; `holdfast gc` goes on with "
                    "it, or brings it back"));
}

Result<> check_not_live(const WorkspaceRecord& record, bool force) {
  if (!record.authority || force) return {};
  const authority::Verdict verdict = ask_about(*record.authority, record.name);
  if (verdict.vouched == authority::Vouched::kLive) {
    return fail(stays(ErrorCode::kBusy, record.name, "live",
                      "its authority knows it (" + verdict.reason + ")"));
  }
  if (verdict.vouched == authority::Vouched::kDead) return {};
  return fail(stays(ErrorCode::kCannotTell, record.name, verdict.reason,
                    "whether it lives cannot be told; --force forgets it all the same"));
}

Result<int> run_workspace_forget(Context& context, const Args& args) {
  const std::string& typed = args.arguments().front();
  const auto& sessions = *HF_TRY(sessions_with(context, typed));
  const WorkspaceRecord record = HF_TRY(record_of(sessions, typed));
  HF_TRY(check_not_in_trash(sessions, record));
  HF_TRY(check_not_live(record, args.flag("force")));
  HF_TRY(session::forget(sessions, record, [&](const WorkspaceRecord& judged) {
    EventData data;
    data.text("name", judged.name).text("dir", judged.directory);
    if (judged.authority) data.text("authority", to_text(*judged.authority));
    return put_on_record(context, {.type = "workspace.forgotten", .data = std::move(data)});
  }));
  context.emit({{"name", bytes_to_json(record.name)}, {"dir", bytes_to_json(record.directory)}});
  context.print(record.directory + "\n");
  return to_int(ExitCode::kDone);
}

constexpr std::array kWorkspaceForgetOptions{
    OptionSpec{.name = "force",
               .help = "do not ask the authority whether it lives; who is attached still counts"},
};
constexpr std::array kWorkspaceForgetArguments{kWorkspaceOrIdArgument};

constexpr std::array kWorkspaceForgetExamples{
    Example{.line = "holdfast workspace forget notes",
            .says = "`gc --adopt-dir` took a directory that is no workspace"},
};

constexpr std::array kWorkspaceForgetExits{
    ExitNote{ExitCode::kDone, "forgotten; its directory is as it was"},
    ExitNote{ExitCode::kNo, "there is no such workspace"},
    ExitNote{ExitCode::kCannotTell, "whether it lives cannot be told"},
    ExitNote{ExitCode::kBusy, "somebody is attached, a run is in it, or its authority knows it"},
    ExitNote{ExitCode::kRefused,
             "its directory lies in the home, or in the trash, or is not known as its own"},
};

constexpr std::array kWorkspaceForgetFields{
    JsonField{"name", "of the workspace"},
    JsonField{"dir", "the directory that was left as it is"},
};

}  // namespace

constinit const CommandSpec kWorkspaceForgetCommand{
    .name = "workspace forget",
    .summary = "drop the record of a workspace, keep its directory",
    .description =
        "Drops the record of a workspace whose directory lies outside of the home: one that `gc "
        "--adopt-dir` took by mistake, or that is kept otherwise from now on. The directory and "
        "everything in it stay as they are, and `holdfast gc` looks after it no longer. It goes on "
        "record first.\n\n"
        "Nothing is dropped while somebody is attached, a run of its name goes on, or its "
        "authority knows it. A workspace in the home has its directory with its record: `holdfast "
        "workspace end` says that it is over.",
    .options = kWorkspaceForgetOptions,
    .arguments = kWorkspaceForgetArguments,
    .examples = kWorkspaceForgetExamples,
    .exits = kWorkspaceForgetExits,
    .json_fields = kWorkspaceForgetFields,
    .run = run_workspace_forget,
};

}  // namespace holdfast::cli
