// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/file/file_options.h"
#include "cli/file/layers_assembly.h"
#include "cli/file/layers_exec.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"

namespace holdfast::cli {
namespace {

Result<int> print_layers(Context& context, const std::string& plan, LayerFormat format,
                         file::TrustDir trust) {
  const auto list = HF_TRY(assemble_plan(context, plan, format, Assembled::kMade, trust));
  context.print(layers_text(list.words, format));
  Json fields{{"args", list.words}};
  fields.update(stamp_fields(stamp_of(list)));
  context.emit(fields);
  return to_int(ExitCode::kDone);
}

Result<int> exec_layers(Context& context, const std::string& plan, LayerFormat format,
                        const std::vector<std::string>& command, file::TrustDir trust) {
  HF_TRY(check_placeholder(command));
  const auto ended = [&]() -> Result<int> {
    const auto list = HF_TRY(assemble_plan(context, plan, format, Assembled::kMade, trust));
    return become_command(context, command, list);
  }();
  return ended ? ended : before_the_command(context, ended.error());
}

Result<int> run_layers(Context& context, const Args& args) {
  const bool exec = args.flag("exec");
  const bool verify = args.flag("verify");
  const auto& words = args.trailing();
  const auto wrong = [](std::string why) {
    return fail(usage_error("bad-combination", "run", "holdfast layers", std::move(why)));
  };
  if (exec && verify) return wrong("--exec and --verify are two things to do");
  if (exec && words.empty()) return wrong("--exec needs `-- COMMAND` with the word {layers} in it");
  if (!exec && !verify && !words.empty()) return wrong("a command after `--` needs --exec");
  if (verify && !words.empty()) {
    if (!args.arguments().empty() || args.text("format")) {
      return wrong("--verify looks at a PLAN or at the words after `--`, not at both");
    }
    return verify_words(context, words);
  }
  if (args.arguments().empty()) return wrong("the argument PLAN is missing");
  const std::string& plan = args.arguments().front();
  const LayerFormat format = layer_format(args);
  const file::TrustDir trust = trust_of(args);
  if (exec) return exec_layers(context, plan, format, words, trust);
  return verify ? verify_plan(context, plan, format, trust)
                : print_layers(context, plan, format, trust);
}

constexpr std::array kLayersOptions{
    OptionSpec{.name = "format",
               .kind = OptionKind::kChoice,
               .value = "nul|json|args|compose",
               .help = "`args` (default): quoted for a shell; `compose`: `-f FILE` for each, which "
                       "must be a file; `nul`: each ends with a NUL byte; `json`: an array"},
    OptionSpec{
        .name = "exec",
        .help = "become the command after `--`, with the list in place of the word {layers}"},
    OptionSpec{.name = "verify",
               .help = "does the list still stand in the words after `--`, or come out of PLAN, as "
                       "the environment of --exec says?"},
    kTrustDirOption,
};

constexpr std::array kLayersArguments{
    ArgumentSpec{.name = "PLAN", .help = "the plan, TOML", .arity = Arity::kOptional}};

constexpr std::array kLayersExamples{
    Example{.line = "holdfast layers p.toml --format compose --exec -- docker compose {layers} up",
            .says = "Start with every file of the plan, or not at all"},
    Example{.line = "files=$(holdfast layers p.toml --format compose) && eval \"set -- $files\"",
            .says = "The list as $1, $2, … of a shell script; the && keeps a failure one"},
    Example{.line = "holdfast layers --verify -- \"$@\" || exit",
            .says = "In a script that --exec has started: are my arguments whole?"},
};

constexpr std::array kLayersExits{
    ExitNote{ExitCode::kDone, "the list was printed; with --verify: it is intact"},
    ExitNote{ExitCode::kCorrupt, "a layer failed, and is named; nothing was printed or run"},
    ExitNote{ExitCode::kNo, "there is no such plan; with --verify: dropped, moved or changed"},
    ExitNote{ExitCode::kCannotTell, "--verify: the environment does not say what the list was"},
    ExitNote{ExitCode::kConfig, "the plan is wrong, or uses a variable that is not set"},
    ExitNote{ExitCode::kWrapperFailed, "--exec: holdfast failed before the command ran"},
    ExitNote{ExitCode::kNotExecutable, "--exec: the command was found but cannot be executed"},
    ExitNote{ExitCode::kCommandNotFound, "--exec: the command was not found"},
};

constexpr std::array kLayersFields{
    JsonField{"args", "the words of the list; with `--format compose` each `-f` is one"},
    JsonField{"count", "how many words they are"},
    JsonField{"digest", "SHA-256, hex, over every word followed by a NUL byte"},
};

}  // namespace

constinit const CommandSpec kLayersCommand{
    .name = "layers",
    .summary = "an ordered argument list, whole or not at all",
    .description =
        "Assembles the list of arguments that PLAN means and prints it, when every layer has given "
        "its part; otherwise nothing is printed, and the layer that failed is named. A list that "
        "a shell puts together loses what a failing command should have added, and nobody "
        "notices.\n\n"
        "PLAN is TOML: `[[layer]]` entries in the order of the list, each with a `name` and either "
        "`args = [...]`, where `~` and `${VAR}` are expanded, or `command`, an array, or a line "
        "for /bin/sh, which prints its arguments, one on a line, or NUL-terminated with "
        "`output = \"nul\"`. A command runs in the directory of PLAN. It must exit with 0 within "
        "`timeout` (10s), print at most 1 MiB, at least one argument (unless `may_be_empty = "
        "true`) "
        "and end the last one.\n\n"
        "`required = true`: always in; such layers come first and have only `args`. `when`, a "
        "command: 0 puts the layer in, 1 leaves it out, anything else fails. `digest = "
        "\"sha256:HEX\"`: of what the command prints, or of the file that the one argument names. "
        "`expect = N`, above the layers: so many arguments in the end, without each `-f`.\n\n"
        "With --format compose each argument is a file, relative to PLAN, which must be there and "
        "only once. --exec gives the command HOLDFAST_LAYERS_COUNT and HOLDFAST_LAYERS_DIGEST (and "
        "HOLDFAST_LAYERS_SUM, which only makes it quicker), by which --verify tells later whether "
        "the list is intact; against accidents, not against "
        "an enemy who can change both.",
    .options = kLayersOptions,
    .arguments = kLayersArguments,
    .trailing = Trailing::kOptionalCommand,
    .examples = kLayersExamples,
    .exits = kLayersExits,
    .json_fields = kLayersFields,
    .run = run_layers,
};

}  // namespace holdfast::cli
