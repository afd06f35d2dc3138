// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_damage.h"
#include "cli/journal/journal_line.h"
#include "cli/journal/journal_options.h"
#include "cli/journal/journal_reading.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

Result<> check(const Context& context, const Args& args) {
  const auto output = args.text("output");
  const bool to_stdout = !output || *output == "-";
  if (!args.text("format")) {
    return fail(usage_error("missing-option", "export", "the journal",
                            "--format is missing: jsonl or csv"));
  }
  if (to_stdout && context.json()) {
    return fail(usage_error("missing-option", "export", "the journal",
                            "with --json stdout holds the answer; name a file with --output, or "
                            "use `holdfast journal query --json`"));
  }
  return {};
}

Result<ReadOutcome> write_lines(Context& context, const Args& args,
                                const journal::QueryRequest& request) {
  const auto sink = HF_TRY(ExportSink::open(context, args.text("output")));
  const bool csv = *args.text("format") == "csv";
  if (csv) HF_TRY(sink->write(kCsvHeader));
  std::string line;
  ReadOutcome outcome;
  if (const auto dir = HF_TRY(journal_to_read(context))) {
    const auto write = [&](const journal::QueriedRecord& record) -> Result<os::Visit> {
      line.clear();
      (csv ? append_csv_line : append_json_line)(record.at.record.fields, record.data, line);
      HF_TRY(sink->write(line));
      if (args.text("output")) context.progress("exporting event", record.at.record.fields.seq, 0);
      return os::Visit::kContinue;
    };
    outcome = HF_TRY(read_records(context, *dir, request, write));
  }
  HF_TRY(sink->finish());
  return outcome;
}

Result<int> run_journal_export(Context& context, const Args& args) {
  HF_TRY(check(context, args));
  journal::QueryRequest request;
  request.filter = HF_TRY(filter_of(args, Times::kSinceAndUntil, os::RealClock().wall()));
  HF_TRY(
      check_fields(context, HF_TRY(journal_to_read(context)), request.filter, args.texts("where")));
  const std::string output = args.text("output").value_or("-");
  const ReadOutcome outcome = HF_TRY(write_lines(context, args, request));
  tell_unfinished(context, outcome.unfinished_bytes);
  context.emit({{"output", output},
                {"records", outcome.records},
                {"damaged", damage_json(outcome.damaged)}});
  return tell_damage(context, outcome.damaged);
}

constexpr std::array kJournalExportOptions{
    OptionSpec{.name = "format",
               .letter = 'f',
               .kind = OptionKind::kChoice,
               .value = "jsonl|csv",
               .help = "the lines of `journal query --json`, or a table"},
    OptionSpec{.name = "output",
               .letter = 'o',
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "a new file instead of stdout; it appears when it is whole"},
    kTypeOption,
    kSinceOption,
    kUntilOption,
    kWhereOption,
    kClassOption,
};

constexpr std::array kJournalExportExamples{
    Example{.line = "holdfast journal export --format csv --since 30d --output october.csv",
            .says = "The last month for a spreadsheet"},
    Example{.line = "holdfast journal export --format csv --output all.csv",
            .says = "For questions in SQL: `sqlite3 all.db '.import --csv all.csv events'`"},
};

constexpr std::array kJournalExportExits{
    ExitNote{ExitCode::kDone, "everything that matches was exported"},
    ExitNote{ExitCode::kCorrupt, "some of the journal is damaged; the rest was exported"},
    ExitNote{ExitCode::kCannotTell, "an event of a newer holdfast; no file was made"},
    ExitNote{ExitCode::kRefused, "the file is there already"},
};

constexpr std::array kJournalExportFields{
    JsonField{"output", "the file"},
    JsonField{"records", "how many were exported"},
    JsonField{"damaged", "as in `holdfast help journal verify`"},
};

}  // namespace

constinit const CommandSpec kJournalExportCommand{
    .name = "journal export",
    .summary = "write the events that match for other programs",
    .description =
        "`jsonl` has the lines of `journal query --json`; `csv` the columns seq, time, type, "
        "class, writer, boot and data (as JSON), quoted as RFC 4180 says. An existing file is "
        "never replaced.",
    .options = kJournalExportOptions,
    .examples = kJournalExportExamples,
    .exits = kJournalExportExits,
    .json_fields = kJournalExportFields,
    .run = run_journal_export,
};

}  // namespace holdfast::cli
