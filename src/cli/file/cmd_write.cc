// SPDX-License-Identifier: Apache-2.0
#include "cli/file/file_options.h"
#include "cli/file/write_options.h"
#include "cli/file/write_perform.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"

namespace holdfast::cli {
namespace {

Result<int> run_write(Context& context, const Args& args) {
  return perform_write(context, args, {});
}

constexpr std::array kWriteOwnOptions{
    OptionSpec{.name = "from",
               .letter = 'f',
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "take the content from FILE instead of standard input"},
    OptionSpec{.name = "allow-unchecked",
               .help =
                   "take the content from a pipe although nobody sees whether the program behind "
                   "it succeeded",
               .excludes = "from"},
};
constexpr auto kWriteCommandOptions = joined(joined(kWriteOwnOptions, kWriteOptions), kEditOptions);

constexpr std::array kWriteArguments{ArgumentSpec{.name = "PATH", .help = "the file"}};

constexpr std::array kWriteExamples{
    Example{.line = "holdfast write config.json --check json -- jq '.port = 8080' config.json",
            .says = "If jq fails, or prints no JSON, config.json stays as it is"},
    Example{.line = "holdfast write hosts --pipe -- curl -fsS https://example.org/h '|' sort -u",
            .says = "Both commands must succeed"},
    Example{
        .line = "holdfast write sudoers.d/ops -m 440 --check 'visudo -cf \"$1\"' --from ops.new",
        .says = "A check of one's own, on the staged file"},
    Example{.line = "holdfast write state.json --if-hash absent --from first.json",
            .says = "Only if there is no such file yet"},
};

constexpr std::array kWriteExits{
    ExitNote{ExitCode::kDone, "the file has the new content (or had it already)"},
    ExitNote{ExitCode::kUsage, "also: stdin is a pipe, and nothing says what is known about it"},
    ExitNote{ExitCode::kCorrupt,
             "the content is refused: the command failed, it is empty, a check failed, it shrank; "
             "nothing was changed"},
    ExitNote{ExitCode::kCannotTell,
             "a --check could not be run or ran out of --budget, or a lock that this runs under "
             "cannot be asked; nothing "
             "was changed"},
    kEditIoExit,
    ExitNote{ExitCode::kNotDurable,
             "the new content is in place, but a power cut may undo it, or the --stamp could not "
             "be written"},
    ExitNote{
        ExitCode::kBusy,
        "somebody holds the lock of the file (`file-busy`) or of its directory, --if-hash does "
        "not hold, or the file of --from is still being written"},
    ExitNote{ExitCode::kRefused,
             "an unsafe path: a link, another owner, hard links, a special file, a mount point; or "
             "a lock that this runs under is another's by now (`lock-lost`)"},
};

constexpr std::array kProducerField{
    JsonField{"producer",
              "a list with `command`, `exit_code`, `signal` and `started` of each "
              "command that was run; null where none was"}};
constexpr auto kWriteFields = joined(kReplacedFields, kProducerField);

constexpr std::array kWriteBrief{
    HelpGroup{.title = "Content", .options = "from|check|if-hash|allow-empty"},
    HelpGroup{.title = "The file", .options = "mode|backup|links|durability"},
    HelpGroup{.title = "Time", .options = "wait|timeout"},
};

}  // namespace

constinit const CommandSpec kWriteCommand{
    .name = "write",
    .summary = "replace a file whole or not at all",
    .description =
        "Gives a file new content in one step: whoever opens it finds the whole old or the whole "
        "new "
        "file, whatever fails in between. The content comes from standard input, from --from FILE, "
        "or from the command after `--`, which is run without a shell; only if it succeeds, its "
        "output is used. What it leaves running is ended. If a signal asks it to end (Ctrl-C), "
        "nothing "
        "is changed and the exit code is 128+n.\n\n"
        "A pipe as standard input is refused, because its end looks the same whether the program "
        "behind it finished or failed; give a --check, or say --allow-unchecked. A here-document "
        "(`<<END`) is a pipe in most shells, so it needs --allow-unchecked there, or a file "
        "and --from.\n\n"
        "Owner, mode, access list and attributes of the old file are kept. Links anywhere in the "
        "path, hard links, files of other users, special files and single-file mounts are refused "
        "unless an option asks for them. The same content again changes nothing.\n\n"
        "If the file has a lock (`.NAME.lock` beside it, of `holdfast lock --file`, `update` or "
        "flock(1)), its holder is waited for (--wait), once the new content is there. So are "
        "others who change files in the same directory through holdfast; a "
        "change by somebody else in the same moment is noticed where the file system can exchange "
        "two names (ext4, xfs, btrfs, tmpfs).\n\n"
        "Under locks (HOLDFAST_CHAIN, as `holdfast lock` sets it, or --token) the file is changed "
        "only in a step in which all of them are still held: after a lease was taken by somebody "
        "else, a late write is refused (77).",
    .options = kWriteCommandOptions,
    .arguments = kWriteArguments,
    .trailing = Trailing::kOptionalCommand,
    .examples = kWriteExamples,
    .exits = kWriteExits,
    .json_fields = kWriteFields,
    .brief = kWriteBrief,
    .run = run_write,
};

}  // namespace holdfast::cli
