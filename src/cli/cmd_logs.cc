// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/session_found.h"
#include "cli/session_log.h"
#include "cli/session_run.h"
#include "os/poll.h"
#include "session/look.h"
#include "session/watch.h"

namespace holdfast::cli {
namespace {

using session::LogReader;
using session::SessionDir;
using session::SessionView;

Error no_log(const SessionDir& dir) {
  return {.code = ErrorCode::kNotFound,
          .op = "read the log of",
          .subject = "'" + dir.name() + "'",
          .cause = "no-log",
          .detail = "this run keeps or kept none"};
}

// Will nothing be added to the log of run `number` any more? Nobody writes what an orphan prints.
bool is_complete(const std::optional<SessionView>& view, std::uint64_t number) {
  if (!view || view->record.number != number || is_final(view->state)) return true;
  return view->known && view->state == SessionState::kOrphaned;
}

Result<std::optional<LogReader>> open_log(const SessionDir& dir, std::uint64_t number,
                                          const Args& args) {
  auto log = HF_TRY(LogReader::open(dir, number));
  const auto tail = args.integer("tail");
  if (log && tail) HF_TRY(log->skip_to_last_lines(*tail));
  return log;
}

Result<int> follow(Context& context, const Args& args, const SessionDir& dir,
                   std::uint64_t number) {
  // Asked before the first write: one that leaves right behind it would look like a file.
  const os::Handle* const gone = context.reader_gone();
  session::Watch watch = session::Watch::open(dir);
  LogPrinter printer(context);
  std::optional<LogReader> log;
  bool said = false;
  for (;;) {
    if (const auto record = HF_TRY(dir.read())) watch.follow(*record);
    // Before the log is read: what is complete now is so when it has been read.
    const auto view = HF_TRY(session::look(dir));
    if (!log) log = HF_TRY(open_log(dir, number, args));
    if (log) HF_TRY(printer.print_all(*log, LogPrinter::Go::kOn));
    if (is_complete(view, number)) {
      if (!log) return fail(no_log(dir));
      HF_TRY(printer.finish());
      if (log->overtaken()) context.warn("the log grew faster than it was read; a part is missing");
      if (view && view->state == SessionState::kOrphaned) {
        context.warn("its supervisor is gone; what it prints now is not kept");
      }
      return to_int(ExitCode::kDone);
    }
    if (!watch.polls().empty() && !std::exchange(said, true)) {
      context.note("the kernel cannot tell of changes here (" + watch.polls() +
                   "); looking each second");
    }
    const std::array<const os::Handle*, 1> also{gone};
    HF_TRY(watch.wait(std::nullopt, also));
    if (gone != nullptr && HF_TRY(os::is_readable(*gone))) return to_int(ExitCode::kIo);
  }
}

Result<int> run_logs(Context& context, const Args& args) {
  const SessionDir dir = HF_TRY(find_session(context, args.arguments().front()));
  const ChosenRun chosen = HF_TRY(choose_run(dir, args.integer("run")));
  const std::uint64_t number = chosen.view.record.number;
  context.begin_stream();
  if (args.flag("follow")) return follow(context, args, dir, number);
  auto log = HF_TRY(open_log(dir, number, args));
  if (!log) {
    // The log is made behind the record, and the run may wait for its locks before: what it has
    // printed so far is nothing.
    const bool begins = chosen.view.record.order.log && !is_complete(chosen.view, number);
    return begins ? Result<int>(to_int(ExitCode::kDone)) : fail(no_log(dir));
  }
  LogPrinter printer(context);
  HF_TRY(printer.print_all(*log, LogPrinter::Go::kToTheEnd));
  HF_TRY(printer.finish());
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
        "The output of an orphan is not kept; -f ends there, and says so.",
    .options = kLogsOptions,
    .arguments = kLogsArguments,
    .examples = kLogsExamples,
    .exits = kLogsExits,
    .json_fields = kLogsFields,
    .run = run_logs,
};

}  // namespace holdfast::cli
