// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/harness_caller.h"
#include "cli/harness_home.h"
#include "format/json_bytes.h"
#include "format/rfc3339.h"
#include "os/real_clock.h"
#include "session/harness_new.h"

namespace holdfast::cli {
namespace {

void tell(Context& context, HarnessHome& home, const HarnessRecord& record) {
  EventData data;
  data.text("name", record.name).text("state", to_text(record.state));
  if (const auto dir = session::directory_of(home.sessions(), record)) data.text("dir", *dir);
  if (record.authority) data.text("authority", to_text(*record.authority));
  if (!record.ended->reason.empty()) data.text("reason", record.ended->reason);
  home.tell(context, {.type = "session.ended", .data = std::move(data)});
}

Result<int> run(Context& context, const Args& args) {
  const os::RealClock clock;
  const std::string& name = args.arguments().front();
  HarnessHome home = HF_TRY(HarnessHome::find(context, clock, name));
  const session::Claim claim = HF_TRY(claim_of(args, name));
  const auto force = args.flag("force") ? session::Force::kYes : session::Force::kNo;
  const session::EndResult done = HF_TRY(
      session::end(home.sessions(), name, claim, args.text("reason").value_or(""), force, clock));
  if (done.changed) tell(context, home, done.record);
  if (!done.changed) context.note("it had ended before");
  context.emit({{"name", bytes_to_json(name)},
                {"changed", done.changed},
                {"ended", format_rfc3339(done.record.ended->at)},
                {"left", done.record.attached.size()}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kOptions{
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "why, for the record"},
    kHarnessTokenOption,
    OptionSpec{.name = "force",
               .help = "also while others are attached; they keep the directory until they leave"},
};
constexpr std::array kArguments{kHarnessArgument};

constexpr std::array kExamples{
    Example{.line = "holdfast session end fix-160 --reason merged",
            .says = "It is over; the next `holdfast gc` may remove its directory"},
};

constexpr std::array kExits{
    ExitNote{ExitCode::kDone, "it has ended, now or before"},
    ExitNote{ExitCode::kNo, "there is no such session"},
    ExitNote{ExitCode::kNotDurable, "it has ended, but a power cut may still undo the record"},
    ExitNote{ExitCode::kBusy, "somebody else is attached, who is named; --force ends it"},
    ExitNote{ExitCode::kRefused,
             "the token is nobody's who is attached, or it is still being made; nothing was "
             "changed"},
};

constexpr std::array kFields{
    JsonField{"name", "of the session"},
    JsonField{"changed", "false: it had ended before"},
    JsonField{"ended", "when it ended"},
    JsonField{"left", "how many are attached still"},
};

}  // namespace

constinit const CommandSpec kSessionEndCommand{
    .name = "session end",
    .summary = "say that a session is over",
    .description =
        "Puts on record that the session has ended. Nobody can attach to it any more. Nothing is "
        "stopped and nothing removed: `holdfast gc` removes the directory later, when nobody is "
        "attached and the authority, where there is one, does not know it any more. Whatever the "
        "caller was attached as ends with it.",
    .options = kOptions,
    .arguments = kArguments,
    .examples = kExamples,
    .exits = kExits,
    .json_fields = kFields,
    .run = run,
};

}  // namespace holdfast::cli
