// SPDX-License-Identifier: Apache-2.0
#include "base/cause.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/step/step_command.h"
#include "os/machine/sha256.h"
#include "os/stream/stdio.h"

namespace holdfast::cli {
namespace {

Result<std::string> read_notice() {
  auto text = os::read_stdin(kMaxNoticeBytes);
  if (!text && text.error().cause == cause::kTooLarge) {
    Error error = text.error();
    error.code = ErrorCode::kCorrupt;
    error.detail = "a notice has at most 1 MiB; nothing was sent";
    return fail(std::move(error));
  }
  if (text && text->empty()) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "read",
                 .subject = "standard input",
                 .cause = "empty",
                 .detail = "there is no text to send; nothing was sent"});
  }
  return text;
}

Result<int> run_notify(Context& context, const Args& args) {
  loop::StepRequest request{.kind = StepKind::kNotify};
  request.cooldown = args.duration("cooldown").value_or(loop::kDefaultCooldown);
  request.on_change = args.flag("on-change");
  if (request.on_change && args.duration("cooldown")) {
    return fail(usage_error("conflict", "use", "--cooldown",
                            "with --on-change: only another text is sent then"));
  }
  HF_TRY(step_key(args, request.kind));
  request.text = HF_TRY(read_notice());
  // No text is empty, so the digest of nothing stands for whatever the key has to say.
  request.digest = os::sha256(args.flag("once-per-key") ? "" : request.text);
  return perform_step(context, args, std::move(request));
}

constexpr std::array kNotifyArguments{kStepKey};
constexpr std::array kNotifyOptions{
    OptionSpec{.name = "cooldown",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long the same text is held back (default 1d)"},
    OptionSpec{.name = "on-change", .help = "send only what differs from the last one sent"},
    OptionSpec{.name = "once-per-key",
               .help = "hold back any text of KEY within --cooldown, for texts that change every "
                       "time",
               .excludes = "on-change"},
    kIfBusyOption,
    kStepWait,
    kStepTimeout,
    kStepGrace,
    kStepStatusFd,
};

constexpr std::array kNotifyExamples{
    Example{.line = "echo \"merge of #42 failed\" | holdfast notify pr-42 -- ./comment 42",
            .says = "One comment a day, however often the merge fails"},
    Example{.line = "df -h / | holdfast notify disk --on-change -- mail -s disk root",
            .says = "Only when it looks different"},
    Example{.line = "holdfast step show pr-42", .says = "What was sent and what was held back"},
};

constexpr std::array kNotifyExits{
    ExitNote{ExitCode::kDone, "it was sent (`ran`), or held back and counted (`suppressed`)"},
    ExitNote{ExitCode::kUsage, "the command line is wrong; nothing was sent"},
    ExitNote{ExitCode::kCorrupt,
             "the text is empty or too long, or the record is damaged; nothing was sent"},
    ExitNote{ExitCode::kCannotTell,
             "whether an earlier sending is over cannot be told; nothing was sent"},
    ExitNote{ExitCode::kBusy,
             "a notice of this key failed, and its pause is not over; or one is being sent now"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
    ExitNote{ExitCode::kDeadline,
             "--timeout fired; the notice may have been sent, and is not sent again"},
    ExitNote{ExitCode::kWrapperFailed, "holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "the command cannot be executed; the notice is kept"},
    ExitNote{ExitCode::kCommandNotFound, "the command was not found; the notice is kept"},
};

}  // namespace

constinit const CommandSpec kNotifyCommand{
    .name = "notify",
    .summary = "send a text by a command, but not the same one over and over",
    .description =
        "Reads a text from standard input (at most 1 MiB) and has COMMAND send it, which reads it "
        "from its own standard input. A text that was sent for KEY less than --cooldown ago is "
        "held back and counted, whatever was sent in between; with --on-change only a text that "
        "differs from the last one is sent. Texts are compared as they are: leave out times that "
        "change each time, or use --once-per-key, which takes all texts of KEY for the same.\n\n"
        "What was held back is said in the next one that is sent, in a line of its own: (seen 13 "
        "more times since 2026-11-15T07:46:00.123Z).\n\n"
        "If COMMAND fails, its exit code is passed on and the text is kept. It is sent with the "
        "next `notify KEY`, of the same text or another, once a pause is over: one minute, then "
        "five, then thirty; before that the answer is 75. A text that comes meanwhile, or while "
        "another one is being sent, is kept as well, or counted where it is known: the answer says "
        "which.\n\n"
        "If COMMAND was killed, ran into its --timeout or was asked to end, or if nobody saw how "
        "it "
        "ended (the machine went down), the text may have been sent. It is not sent again, and "
        "the next notice says that it may not have arrived.\n\n"
        "The run is a session called `notify:KEY`; what is said of `once` holds here too.",
    .options = kNotifyOptions,
    .arguments = kNotifyArguments,
    .trailing = Trailing::kCommand,
    .examples = kNotifyExamples,
    .exits = kNotifyExits,
    .json_fields = kStepFields,
    .run = run_notify,
};

}  // namespace holdfast::cli
