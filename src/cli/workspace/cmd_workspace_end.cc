// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/workspace_authority.h"
#include "cli/workspace/workspace_caller.h"
#include "cli/workspace/workspace_found.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"
#include "runtime/runtime.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_new.h"
#include "session/workspace/workspace_release.h"

namespace holdfast::cli {
namespace {

void workspace_end_tell(Context& context, const session::SessionStore& sessions,
                        const WorkspaceRecord& record) {
  EventData data;
  data.text("name", record.name).text("state", to_text(record.state));
  if (const auto dir = session::directory_of(sessions, record)) data.text("dir", *dir);
  if (record.authority) data.text("authority", to_text(*record.authority));
  if (!record.ended->reason.empty()) data.text("reason", record.ended->reason);
  tell_or_warn(context, {.type = "workspace.ended", .data = std::move(data)});
}

// A person's word that what vouches for it will never answer again. Whoever is seen says otherwise.
Result<WorkspaceRecord> end_assumed_gone(Context& context, const session::SessionStore& sessions,
                                         const WorkspaceRecord& record, const std::string& reason,
                                         const Clock& clock) {
  if (record.authority) {
    const authority::Verdict verdict = ask_about(*record.authority, record.name);
    if (verdict.vouched == authority::Vouched::kLive) {
      return fail(
          {.code = ErrorCode::kRefused,
           .op = "end the workspace",
           .subject = "'" + record.name + "'",
           .cause = "seen-alive",
           .detail = "its authority knows it (" + verdict.reason + "); nothing was changed"});
    }
  }
  return session::end_assumed_gone(
      sessions, record, reason, clock, [&](const WorkspaceRecord& judged) {
        EventData data;
        data.text("name", judged.name).text("reason", reason).text("evidence", "assumed-gone");
        if (judged.former_authority) data.text("authority", to_text(*judged.former_authority));
        return put_on_record(context, {.type = "workspace.ended",
                                       .data = std::move(data),
                                       .at_least = EventClass::kDecision});
      });
}

int workspace_end_answer(Context& context, const WorkspaceRecord& record, bool changed) {
  context.emit({{"name", bytes_to_json(record.name)},
                {"changed", changed},
                {"ended", format_rfc3339(record.ended->at)},
                {"left", record.attached.size()}});
  return to_int(ExitCode::kDone);
}

Result<int> run_workspace_end(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const std::string& typed = args.arguments().front();
  const auto& sessions = *HF_TRY(sessions_with(context, typed));
  const WorkspaceRecord found = HF_TRY(record_of(sessions, typed));
  if (args.flag("assume-gone")) {
    const std::string reason = args.text("reason").value_or("");
    if (reason.empty() || args.flag("force")) {
      return fail(usage_error("conflict", "use", "--assume-gone",
                              "it needs --reason TEXT, and goes without --force"));
    }
    return workspace_end_answer(
        context, HF_TRY(end_assumed_gone(context, sessions, found, reason, clock)), true);
  }
  session::Claim claim = HF_TRY(claim_of(args, found.name));
  if (found.name != typed) claim.session = found.id;
  const auto force = args.flag("force") ? session::Force::kYes : session::Force::kNo;
  const session::EndResult done = HF_TRY(
      session::end(sessions, found.name, claim, args.text("reason").value_or(""), force, clock));
  if (done.changed) workspace_end_tell(context, sessions, done.record);
  if (!done.changed) context.note("it had ended before");
  return workspace_end_answer(context, done.record, done.changed);
}

constexpr std::array kWorkspaceEndOptions{
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "why, for the record"},
    kWorkspaceTokenOption,
    OptionSpec{.name = "force",
               .help = "also while others are attached; they keep the directory until they leave"},
    OptionSpec{.name = "assume-gone",
               .help = "its engine is gone for good and will never say that it does not know it: "
                       "nobody is asked about it any more. Needs --reason; refused where its "
                       "authority knows it or anybody is attached"},
};
constexpr std::array kWorkspaceEndArguments{kWorkspaceOrIdArgument};

constexpr std::array kWorkspaceEndExamples{
    Example{.line = "holdfast workspace end fix-160 --reason merged",
            .says = "It is over; the next `holdfast gc` may remove its directory"},
    Example{.line = "holdfast workspace end fix-160 --assume-gone --reason 'docker is gone'",
            .says = "A person's word in the place of an engine that is gone; it goes on record"},
};

constexpr std::array kWorkspaceEndExits{
    ExitNote{ExitCode::kDone, "it has ended, now or before"},
    ExitNote{ExitCode::kNo, "there is no such workspace"},
    ExitNote{ExitCode::kNotDurable, "it has ended, but a power cut may still undo the record"},
    ExitNote{ExitCode::kBusy, "somebody else is attached, who is named; --force ends it"},
    ExitNote{ExitCode::kRefused,
             "the token is nobody's who is attached, or it is still being made; --assume-gone: its "
             "authority knows it; nothing was changed"},
};

constexpr std::array kWorkspaceEndFields{
    JsonField{"name", "of the workspace"},
    JsonField{"changed", "false: it had ended before"},
    JsonField{"ended", "when it ended"},
    JsonField{"left", "how many are attached still"},
};

}  // namespace

constinit const CommandSpec kWorkspaceEndCommand{
    .name = "workspace end",
    .summary = "say that a workspace is over",
    .description =
        "Puts on record that the workspace has ended. Nobody can attach to it any more. Nothing is "
        "stopped and nothing removed: `holdfast gc` removes the directory later, when nobody is "
        "attached and the authority, where there is one, does not know it any more. Whatever the "
        "caller was attached as ends with it.\n\n"
        "Where the engine that vouches for it is gone for good, `gc` can never tell, and keeps it. "
        "--assume-gone takes a person's word for it: the authority becomes a former one, and the "
        "next `gc` removes the workspace.",
    .options = kWorkspaceEndOptions,
    .arguments = kWorkspaceEndArguments,
    .examples = kWorkspaceEndExamples,
    .exits = kWorkspaceEndExits,
    .json_fields = kWorkspaceEndFields,
    .run = run_workspace_end,
};

}  // namespace holdfast::cli
