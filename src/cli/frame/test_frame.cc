// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/test_frame.h"

#include <array>

#include "base/cause.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"

namespace holdfast::cli {
namespace {

Result<int> run_probe(Context& context, const Args& args) {
  for (const std::string& word : args.arguments()) context.print("argument " + word + "\n");
  for (const std::string& word : args.trailing()) context.print("trailing " + word + "\n");
  context.emit(Json{{"arguments", args.arguments()}, {"trailing", args.trailing()}});
  context.note("probed");
  return 0;
}

Result<int> run_fail(Context& context, const Args& /*args*/) {
  context.print("before\n");
  context.emit(Json{{"seen", 1}});
  return fail({.code = ErrorCode::kRefused,
               .op = "open the home",
               .subject = "/x\x1b[2J",
               .cause = "home-is-link",
               .detail = "it is a link"});
}

Result<int> run_no(Context& /*context*/, const Args& /*args*/) { return to_int(ExitCode::kNo); }

// Fails with the code that its NAME names, if one does; `ran` is a command that ran.
Result<int> run_wrap(Context& context, const Args& args) {
  const std::string& wanted = args.arguments().front();
  for (const ErrorCodeInfo& row : kErrorCodes) {
    if (row.name == wanted) return fail({.code = row.code, .op = "wrap", .detail = "as asked"});
  }
  if (wanted == "ran") {
    context.print("ran\n");
    return 0;
  }
  context.report({.code = ErrorCode::kNotFound,
                  .op = "run",
                  .subject = args.trailing().front(),
                  .cause = cause::kEnoent,
                  .detail = "no such command"});
  return to_int(ExitCode::kCommandNotFound);
}

constexpr std::array kProbeOptions{
    OptionSpec{
        .name = "text", .letter = 't', .kind = OptionKind::kText, .value = "S", .help = "a text"},
    OptionSpec{.name = "many",
               .kind = OptionKind::kText,
               .value = "S",
               .help = "several texts",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "file", .kind = OptionKind::kPath, .value = "FILE", .help = "it's a file"},
    OptionSpec{.name = "timeout",
               .letter = 'w',
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "give up after D [default: 5s]"},
    OptionSpec{.name = "cap", .kind = OptionKind::kSize, .value = "SIZE", .help = "at most SIZE"},
    OptionSpec{.name = "max", .kind = OptionKind::kInteger, .value = "N", .help = "at most N"},
    OptionSpec{.name = "check",
               .kind = OptionKind::kChoice,
               .value = "json|toml|utf8|yaml",
               .help = "demand this format"},
    OptionSpec{.name = "all", .letter = 'a', .help = "everything"},
};
constexpr std::array kProbeArguments{
    ArgumentSpec{.name = "PATH", .help = "one or more files", .arity = Arity::kOneOrMore},
};
constexpr std::array kProbeExamples{
    Example{.line = "holdfast probe -a .profile -- true", .says = "Probe it"}};
constexpr std::array kProbeExits{ExitNote{ExitCode::kNo, "nothing to probe"}};
constexpr std::array kProbeFields{
    JsonField{"arguments", "the arguments, as typed"},
    JsonField{"trailing", "what followed `--`"},
};

constexpr std::array kNameArgument{ArgumentSpec{.name = "NAME", .help = "its name"}};
constexpr std::array kOptionalArguments{
    ArgumentSpec{.name = "NAME", .help = "its name"},
    ArgumentSpec{.name = "ID", .help = "its id", .arity = Arity::kOptional}};

constexpr CommandSpec kAppend{.name = "journal append",
                              .summary = "append a record",
                              .description = "Appends.",
                              .arguments = kOptionalArguments,
                              .run = run_probe};
constexpr CommandSpec kCount{
    .name = "journal count", .summary = "count records", .description = "Counts.", .run = run_no};
constexpr CommandSpec kFail{
    .name = "fail", .summary = "always fails", .description = "Fails.", .run = run_fail};
constexpr CommandSpec kWrap{.name = "wrap",
                            .summary = "run a command",
                            .description = "Wraps.",
                            .arguments = kNameArgument,
                            .trailing = Trailing::kCommand,
                            .run = run_wrap};
constexpr CommandSpec kWrapShow{.name = "wrap show",
                                .summary = "show what was wrapped",
                                .description = "Shows.",
                                .arguments = kNameArgument,
                                .run = run_probe};

// Two lines, then what --code asks for: 0, another code, or the Error of a stdout that nobody
// reads.
Result<int> run_stream(Context& context, const Args& args) {
  context.begin_stream();
  for (const char* line : {"{\"n\":1}\n", "{\"n\":2}\n"}) HF_TRY(context.stream(line));
  HF_TRY(context.flush());
  context.warn("warned");
  context.emit({{"seen", 2}});
  const auto code = args.integer("code").value_or(0);
  if (code == 69) return fail({.code = ErrorCode::kCannotTell, .op = "go", .subject = "on"});
  return static_cast<int>(code);
}
constexpr std::array kStreamOptions{
    OptionSpec{.name = "code", .kind = OptionKind::kInteger, .value = "N", .help = "how it ends"}};
constexpr CommandSpec kStream{.name = "stream",
                              .summary = "print lines",
                              .description = "Streams.",
                              .options = kStreamOptions,
                              .run = run_stream};

}  // namespace

constinit const CommandSpec kProbeCommand{
    .name = "probe",
    .summary = "show what was typed",
    .description = "First paragraph of the probe.\n\n.Second paragraph with `code` and a \\ in it.",
    .options = kProbeOptions,
    .arguments = kProbeArguments,
    .trailing = Trailing::kOptionalCommand,
    .examples = kProbeExamples,
    .exits = kProbeExits,
    .json_fields = kProbeFields,
    .run = run_probe};

namespace {

constexpr std::array kCommands{
    CommandEntry{"fail", Section::kRun, &kFail},
    CommandEntry{"journal append", Section::kRecord, &kAppend},
    CommandEntry{"journal count", Section::kRecord, &kCount},
    CommandEntry{"probe", Section::kFiles, &kProbeCommand},
    CommandEntry{"stream", Section::kRecord, &kStream},
    CommandEntry{"wrap", Section::kLocks, &kWrap},
    CommandEntry{"wrap show", Section::kLocks, &kWrapShow},
};
static_assert(strictly_rising(kCommands, &CommandEntry::name));
constexpr std::array kGroups{GroupEntry{"journal", "the record of what happened"},
                             GroupEntry{"wrap", "what was wrapped"}};

}  // namespace

CommandTable test_table() { return {.commands = kCommands, .groups = kGroups}; }

}  // namespace holdfast::cli
