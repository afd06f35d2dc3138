// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "loop/series/log_follower.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

using session::LogReader;
using session::SessionDir;

Result<std::optional<LogReader>> open_log(const SessionDir& dir, std::uint64_t number,
                                          const Args& args) {
  auto log = HF_TRY(LogReader::open(dir, number));
  const auto tail = args.integer("tail");
  if (log && tail) HF_TRY(log->skip_to_last_lines(*tail));
  return log;
}

Result<int> run_logs(Context& context, const Args& args) {
  const SessionDir dir = HF_TRY(find_session(context, args.arguments().front()));
  const ChosenRun chosen = HF_TRY(choose_run(dir, args.integer("run")));
  const std::uint64_t number = chosen.view.record.number;
  context.begin_stream();
  if (args.flag("follow")) {
    const auto until =
        args.integer("run") ? loop::FollowUntil::kRunEnds : loop::FollowUntil::kSeriesEnds;
    LogPrinter printer(context);
    const auto end = HF_TRY(
        loop::follow_log(context.runtime(), context, dir,
                         {.run = number, .tail = args.integer("tail"), .until = until}, printer));
    return to_int(end == loop::FollowEnd::kOver ? ExitCode::kDone : ExitCode::kIo);
  }
  auto log = HF_TRY(open_log(dir, number, args));
  if (!log) {
    // The log is made behind the record, and the run may wait for its locks before: what it has
    // printed so far is nothing.
    const bool begins = chosen.view.record.order.log && !loop::is_complete(chosen.view, number);
    return begins ? Result<int>(to_int(ExitCode::kDone)) : fail(loop::no_log(dir));
  }
  LogPrinter printer(context);
  HF_TRY(printer.print_all(*log, LogPrinter::Go::kToTheEnd));
  HF_TRY(printer.finish());
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
    kRunOption,
};
constexpr std::array kLogsArguments{kSessionArgument};

constexpr std::array kLogsExamples{
    Example{.line = "holdfast logs fix-160", .says = "All that it has printed, as it printed it"},
    Example{.line = "holdfast logs -f --tail 20 fix-160",
            .says = "Its last lines, and then what comes, until it has ended"},
    Example{.line = "holdfast logs --run 3 fix-160", .says = "What its third run printed"},
};

constexpr std::array kLogsExits{
    ExitNote{ExitCode::kDone, "shown; with -f, the session has ended"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged"},
    ExitNote{ExitCode::kNo, "there is no such session or run, or it kept no log"},
    ExitNote{ExitCode::kIo, "the reader of the output went away"},
    ExitNote{ExitCode::kBusy, "the time of --budget passed before the end"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its log is unsafe"},
};

constexpr std::array kLogsFields{
    JsonField{"line", "one object for each line; bytes that are not UTF-8 become U+FFFD"},
};

}  // namespace

constinit const CommandSpec kLogsCommand{
    .name = "logs",
    .summary = "show what a session printed",
    .description =
        "Prints the log of a session byte for byte: stdout and stderr in the order in which they "
        "came, the older part first. When a log reaches its limit the older part is dropped, so a "
        "long one may begin in the middle.\n\n"
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
