// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/args.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/file_options.h"
#include "cli/import_home.h"
#include "cli/import_ledger.h"
#include "cli/ledger_options.h"
#include "cli/user_file.h"
#include "file/ledger.h"

namespace holdfast::cli {
namespace {

Result<int> run_import_ledger(Context& context, const Args& args) {
  ImportReport report{.kind = "ledger", .applied = args.flag("apply")};
  report.source = HF_TRY(absolute_path(args.arguments().front()));
  const auto to = args.text("to");
  if (!to) {
    return fail(usage_error("missing-option", "import", report.source,
                            "--to LEDGER is missing: the file that it becomes"));
  }
  const std::string target = HF_TRY(absolute_path(*to));
  ImportHome home = HF_TRY(ImportHome::open(context, report.kind));
  LedgerImport import =
      HF_TRY(judge_ledger(report.source, target, HF_TRY(time_path_of(args)), trust_of(args)));
  ImportRecord& record = import.record;
  if (report.applied && record.verdict == ImportVerdict::kImportable) {
    file::ReplaceOptions options{.trust = trust_of(args), .mode = file::kNewLedgerMode};
    options.expect = file::Expectation{};  // nobody has made it meanwhile
    const file::Replaced done = HF_TRY(file::replace(target, import.bytes, options));
    record_replaced(context, target, done);
    record.verdict = ImportVerdict::kImported;
    HF_TRY(home.record(record));
    if (done.trouble) context.report(*done.trouble);
  }
  report.records.push_back(std::move(record));
  return answer_import(context, report);
}

constexpr std::array kImportLedgerOptions{
    OptionSpec{.name = "to",
               .kind = OptionKind::kPath,
               .value = "LEDGER",
               .help = "the file that it becomes; it must not be there, or hold the same rows"},
    kTimeFieldOption,
    kTrustDirOption,
    kImportApply,
};

constexpr std::array kImportLedgerArguments{
    ArgumentSpec{.name = "FILE", .help = "the history, a JSON array or JSON lines; no link"}};

constexpr std::array kImportLedgerExamples{
    Example{.line = "holdfast import ledger old.json --to new.json --time-field at",
            .says = "Is it whole, and how many rows have a time?"},
    Example{.line = "holdfast import ledger old.json --to new.json --time-field at --apply",
            .says = "The same rows; `holdfast ledger last new.json` asks them"},
};

}  // namespace

constinit const CommandSpec kImportLedgerCommand{
    .name = "import ledger",
    .summary = "take over a JSON array of what was decided",
    .description =
        "Reads the whole history, proves that it can be read, and with --apply writes the same "
        "bytes to LEDGER (0600): every row in its order, with its time as it is. LEDGER is then a "
        "ledger for `holdfast ledger append`, `last` and `check`; --cap 200 of `append` keeps the "
        "old bound.\n\n"
        "A history that is damaged is `corrupt` and stays what it is; `holdfast ledger repair` on "
        "a copy shows what can be saved. A LEDGER that holds the same rows, and perhaps more "
        "behind them, was imported already; any other is `refused`.",
    .options = kImportLedgerOptions,
    .arguments = kImportLedgerArguments,
    .examples = kImportLedgerExamples,
    .exits = kImportExits,
    .json_fields = kImportFields,
    .run = run_import_ledger,
};

}  // namespace holdfast::cli
