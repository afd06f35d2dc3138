// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/harness_authority.h"
#include "cli/workspace/harness_caller.h"
#include "cli/workspace/harness_fields.h"
#include "cli/workspace/harness_found.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

Result<int> run_session_set(Context& context, const Args& args) {
  const std::string& name = args.arguments().front();
  const auto& sessions = *HF_TRY(sessions_with(context, name));
  // The engine is asked before the session's lock is taken.
  const HarnessChanges changes = HF_TRY(changes_of(args));
  const session::Claim claim = HF_TRY(claim_of(args, name));
  const HarnessRecord record =
      HF_TRY(session::change(sessions, name, claim, [&](HarnessRecord& now) -> Result<> {
        changes.apply(now);
        return {};
      }));
  const std::vector<std::string> keys = changes.keys();
  if (!keys.empty()) {
    tell_or_warn(context, {.type = "session.changed",
                           .data = EventData().text("name", name).texts("keys", keys)});
  }
  context.emit({{"name", bytes_to_json(name)}, {"keys", keys}, {"change", record.change}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kSessionSetOptions{
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
    kHarnessTokenOption,
};
constexpr std::array kSessionSetArguments{
    kHarnessArgument,
    ArgumentSpec{.name = "KEY=VALUE", .help = "a field of the harness's own", .arity = Arity::kAny},
};

constexpr std::array kSessionSetExamples{
    Example{.line = "holdfast session set fix-160 --resume-id \"$ID\" branch=fix/160",
            .says = "Remember what is needed to go on later"},
    Example{.line = "holdfast session set fix-160", .says = "Only a sign of life, for its --ttl"},
    Example{.line = "holdfast session set fix-160 --authority podman:fix-160",
            .says = "From now on this container vouches for it"},
};

constexpr std::array kSessionSetExits{
    ExitNote{ExitCode::kDone, "it is on record"},
    ExitNote{ExitCode::kNo, "there is no such session, or no process of --authority"},
    ExitNote{ExitCode::kCannotTell, "the engine of --authority does not answer; nothing changed"},
    ExitNote{ExitCode::kNotDurable, "it is on record, but a power cut may still undo it"},
    ExitNote{ExitCode::kBusy, "somebody else is changing it, for longer than 5 seconds"},
    ExitNote{ExitCode::kRefused,
             "it has an owner, who is named, and the caller is not attached; "
             "the token is wrong; it has ended; the record would be too long"},
};

constexpr std::array kSessionSetFields{
    JsonField{"name", "of the session"},
    JsonField{"keys", "what was set or taken away; empty for a mere sign of life"},
    JsonField{"change", "a number that rises with every change"},
};

}  // namespace

constinit const CommandSpec kSessionSetCommand{
    .name = "session set",
    .summary = "change the record of a session of a harness",
    .description =
        "Sets fields of the harness's own, the resume id, the authority or the ttl, in one step. "
        "Every call is a sign of life, also one that sets nothing. While somebody owns the "
        "session, only who is attached may do it: the owner's process, or whoever has a token.",
    .options = kSessionSetOptions,
    .arguments = kSessionSetArguments,
    .examples = kSessionSetExamples,
    .exits = kSessionSetExits,
    .json_fields = kSessionSetFields,
    .run = run_session_set,
};

}  // namespace holdfast::cli
