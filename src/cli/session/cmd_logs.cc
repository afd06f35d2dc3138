// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/session/log_lines.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "loop/series/log_follower.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

using session::LogReader;
using session::SessionDir;

// As it was printed, or the lines that were asked for.
std::unique_ptr<loop::LogSink> log_sink(Context& context, LogSelection selection) {
  if (selection.is_all() && !context.json()) {
    return std::make_unique<LogPrinter>(context, selection.follow);
  }
  return std::make_unique<LogLines>(context, std::move(selection));
}

Result<int> run_logs(Context& context, const Args& args) {
  LogSelection selection = HF_TRY(log_selection(args, context.runtime().clock().wall()));
  // Of lines that are chosen, the last ones are not the last ones of the file.
  const auto tail = selection.is_all() ? args.integer("tail") : std::nullopt;
  const std::unique_ptr<loop::LogSink> sink = log_sink(context, std::move(selection));
  const SessionDir dir = HF_TRY(find_session(context, args.arguments().front()));
  const ChosenRun chosen = HF_TRY(choose_run(dir, args.integer("run")));
  const std::uint64_t number = chosen.view.record.number;
  context.begin_stream();
  if (args.flag("follow")) {
    const auto until =
        args.integer("run") ? loop::FollowUntil::kRunEnds : loop::FollowUntil::kSeriesEnds;
    const auto end = HF_TRY(loop::follow_log(context.runtime(), context, dir,
                                             {.run = number, .tail = tail, .until = until}, *sink));
    return to_int(end == loop::FollowEnd::kOver ? ExitCode::kDone : ExitCode::kIo);
  }
  auto log = HF_TRY(LogReader::open(dir, number));
  if (!log) {
    // The log is made behind the record, and the run may wait for its locks before: what it has
    // printed so far is nothing.
    const bool begins = chosen.view.record.order.log && !loop::is_complete(chosen.view, number);
    return begins ? Result<int>(to_int(ExitCode::kDone)) : fail(loop::no_log(dir));
  }
  if (tail) HF_TRY(log->skip_to_last_lines(*tail));
  HF_TRY(sink->show(*log));
  HF_TRY(sink->finish());
  warn_of_lost_log(context, chosen.view.record);
  return to_int(ExitCode::kDone);
}

constexpr std::array kLogsOptions{
    OptionSpec{
        .name = "follow", .letter = 'f', .help = "go on as it grows, until the session has ended"},
    OptionSpec{.name = "tail",
               .letter = 'n',
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "begin with the last N lines"},
    OptionSpec{.name = "timestamps", .letter = 't', .help = "say when each line came, in UTC"},
    OptionSpec{.name = "stdout", .help = "only what came by stdout", .excludes = "stderr"},
    OptionSpec{.name = "stderr", .help = "only what came by stderr"},
    OptionSpec{.name = "since",
               .kind = OptionKind::kText,
               .value = "T",
               .help = "only what came after T: 10m, 2026-11-17T14:00Z"},
    OptionSpec{.name = "grep",
               .kind = OptionKind::kText,
               .value = "RE",
               .help = "only lines that match an extended regular expression, as `grep -E` has it"},
    kRunOption,
};
constexpr std::array kLogsArguments{kSessionArgument};

constexpr std::array kLogsExamples{
    Example{.line = "holdfast logs fix-160", .says = "All that it has printed, as it printed it"},
    Example{.line = "holdfast logs -f --tail 20 fix-160",
            .says = "Its last lines, and then what comes, until it has ended"},
    Example{.line = "holdfast logs -t --stderr --since 1h fix-160",
            .says = "What it said on stderr within the last hour, and when"},
    Example{.line = "holdfast logs -f --grep 'error|warning' fix-160",
            .says = "Such lines, as they come"},
    Example{.line = "holdfast logs --run 3 fix-160", .says = "What its third run printed"},
};

constexpr std::array kLogsExits{
    ExitNote{ExitCode::kDone, "shown; with -f, the session has ended"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged"},
    ExitNote{ExitCode::kNo, "there is no such session or run, or it kept no log"},
    ExitNote{ExitCode::kCannotTell,
             "streams or times were asked for, and nobody kept them; or its record is of a newer "
             "holdfast"},
    ExitNote{ExitCode::kIo, "the reader of the output went away"},
    ExitNote{ExitCode::kBusy, "the time of --budget passed before the end"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its log is unsafe"},
};

constexpr std::array kLogsFields{
    JsonField{"line", "one object for each line; bytes that are not UTF-8 become U+FFFD"},
    JsonField{"stream", "`stdout` or `stderr`; null where nobody can tell, such as of --pty"},
    JsonField{"time", "when its first byte came; null where nobody can tell"},
};

}  // namespace

constinit const CommandSpec kLogsCommand{
    .name = "logs",
    .summary = "show what a session printed",
    .description =
        "Prints the log of a session byte for byte: stdout and stderr in the order in which they "
        "came, the older part first. When a log reaches its limit the older part is dropped, so a "
        "long one may begin in the middle.\n\n"
        "The text is plain; an index beside it knows who printed what, and when: --timestamps, "
        "--stdout, --stderr and --since ask it. Each stream is a pipe of its own, so what a "
        "command prints to both at the same moment may change its order, here as on the terminal. "
        "A run with --pty has one stream. Lines of which nobody can tell are shown, and counted "
        "on stderr. With these options and --grep, a line is shown when it is whole, and --tail "
        "counts the lines that are shown.\n\n"
        "With -f it goes on through rotations until the session has ended, and sleeps in between. "
        "Of a "
        "session that `run --iterations` drives it prints one iteration after the other, until the "
        "series has ended; with --run it ends with that run. "
        "The output of an orphan is not kept; -f ends there, and says so.",
    .options = kLogsOptions,
    .arguments = kLogsArguments,
    .examples = kLogsExamples,
    .exits = kLogsExits,
    .json_fields = kLogsFields,
    .run = run_logs,
};

}  // namespace holdfast::cli
