// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/help/help.h"

namespace holdfast::cli {
namespace {

Result<int> run_help(Context& context, const Args& args) {
  show_page(context, HF_TRY(find_page(commands(), args.arguments())));
  return to_int(ExitCode::kDone);
}

constexpr std::array kHelpArguments{
    ArgumentSpec{.name = "SUBJECT",
                 .help = "the one or two words of a command, or a topic",
                 .arity = Arity::kAny},
};

constexpr std::array kHelpExamples{
    Example{.line = "holdfast help", .says = "List the commands and topics"},
    Example{.line = "holdfast help exit-codes", .says = "Show what each exit code means"},
};

constexpr std::array kHelpExits{
    ExitNote{ExitCode::kDone, "the page was shown"},
    ExitNote{ExitCode::kUsage, "there is no such command or topic"},
};

constexpr std::array kHelpFields{
    JsonField{"topic", "the name of the page; empty for the overview"},
    JsonField{"text", "the page as text of 80 columns"},
};

}  // namespace

constinit const CommandSpec kHelpCommand{
    .name = "help",
    .summary = "show the reference: all commands, one command, or a topic",
    .description =
        "Without SUBJECT, lists the commands and topics. `holdfast COMMAND --help` "
        "shows the same page as `holdfast help COMMAND`. These pages are the reference, and part "
        "of the program: they need no home and no files. `holdfast help manual` tells where the "
        "book around them is.",
    .arguments = kHelpArguments,
    .examples = kHelpExamples,
    .exits = kHelpExits,
    .json_fields = kHelpFields,
    .run = run_help,
};

}  // namespace holdfast::cli
