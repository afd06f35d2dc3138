// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>

#include "cli/file/file_options.h"
#include "cli/file/ledger_options.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "file/ledger/ledger.h"
#include "format/file/ledger_query.h"
#include "format/json/json_span.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

// A time that somebody else gave is shown where it cannot be right.
void warn_of_future(Context& context, const file::LedgerAppended& done, const std::string& field,
                    WallTime now) {
  const auto value = find_json_value(done.entry, std::span(&field, 1));
  const auto time = value ? parse_ledger_time(*value) : std::nullopt;
  if (time && is_future(*time, now)) {
    context.warn("the time of this entry is in the future; `ledger last --within` will not use it");
  }
}

Result<int> run_ledger_append(Context& context, const Args& args) {
  const std::string& path = args.arguments().front();
  const file::LedgerAppend how = HF_TRY(append_options_of(context, args));
  const std::string text = HF_TRY(entry_text_of(args));
  const Clock& clock = context.runtime().clock();
  const auto done = file::append_ledger(path, text, how, clock);
  if (!done) {
    if (done.error().code == ErrorCode::kUsage) return fail(done.error());
    return fail(record_refused(context, path, done.error()));
  }
  note_restored(context, path, done->restored);
  warn_of_future(context, *done, how.time_field, clock.wall());
  Json fields = replaced_fields(done->file);
  fields["format"] = to_text(done->format);
  fields["entries"] = done->entries;
  fields["dropped"] = done->dropped;
  fields["entry"] = parse_json(done->entry);
  context.emit(fields);
  context.print(laid_out(done->entry, {}) + "\n");
  record_replaced(context, path, done->file);
  if (done->file.trouble) return fail(*done->file.trouble);
  return to_int(ExitCode::kDone);
}

constexpr std::array kLedgerAppendOwnOptions{
    OptionSpec{.name = "data",
               .letter = 'd',
               .kind = OptionKind::kText,
               .value = "JSON",
               .help = "the entry, one JSON object; `@FILE` reads it from a file, `-` from stdin"},
    OptionSpec{.name = "cap",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "keep the newest N entries only, the new one included"},
    OptionSpec{.name = "cap-per",
               .kind = OptionKind::kText,
               .value = "FIELD=N",
               .help =
                   "keep the newest N for each value of FIELD (KEY or KEY.KEY); entries without "
                   "it all stay. Comes before --cap",
               .repeat = Repeat::kMany},
    kTimeFieldOption,
    OptionSpec{.name = "keep-time",
               .help = "the entry may bring its time itself: RFC 3339 with an offset, or Unix "
                       "seconds"},
    OptionSpec{.name = "mode",
               .letter = 'm',
               .kind = OptionKind::kText,
               .value = "M",
               .help = "the mode of the file, octal (default: the old file's, or 0600)"},
};
constexpr auto kLedgerAppendOptions = joined(kLedgerAppendOwnOptions, kEditOptions);

constexpr std::array kLedgerAppendExamples{
    Example{
        .line = "holdfast ledger append asked.json -d '{\"signal\":\"abc\"}' --cap-per signal=20",
        .says = "Twenty entries of each signal, however noisy another one is"},
    Example{.line = "./facts | holdfast ledger append runs.jsonl --wait 5s",
            .says = "The entry from a program, as a line"},
};

constexpr std::array kLedgerAppendExits{
    ExitNote{ExitCode::kDone, "the entry is in the ledger"},
    ExitNote{ExitCode::kUsage, "among others: the entry brings the time that holdfast sets"},
    ExitNote{
        ExitCode::kCorrupt,
        "the ledger is damaged, or the entry is not one JSON object; the file was not touched"},
    kEditIoExit,
    ExitNote{ExitCode::kNotDurable, "the entry is in the ledger, but a power cut may undo it"},
    ExitNote{ExitCode::kBusy,
             "somebody held the lock of the file or of its directory for all of --wait"},
    ExitNote{ExitCode::kRefused,
             "an unsafe path: a link, another owner, hard links, a special file, a mount point; or "
             "more than 64 MiB"},
};

constexpr std::array kLedgerAppendOwnFields{
    JsonField{"format", "`array` or `lines`"},
    JsonField{"entries", "how many there are now"},
    JsonField{"dropped", "how many the caps dropped"},
    JsonField{"entry", "the new entry, with its time"},
};
constexpr auto kLedgerAppendFields = joined(kReplacedFields, kLedgerAppendOwnFields);

}  // namespace

constinit const CommandSpec kLedgerAppendCommand{
    .name = "ledger append",
    .summary = "add one entry to a history file",
    .description =
        "Adds one JSON object to the end of the ledger and prints it on one line. The time is set "
        "by holdfast. Without --data the entry is read from standard input.\n\n"
        "Appends exclude each other, so none is lost; the others who use the directory wait as "
        "long as one takes. What was there keeps its bytes, its format and its layout. A file that "
        "is not there becomes a new ledger (0600); a file that is damaged, empty or not readable "
        "stays as it is.",
    .options = kLedgerAppendOptions,
    .arguments = kLedgerArguments,
    .examples = kLedgerAppendExamples,
    .exits = kLedgerAppendExits,
    .json_fields = kLedgerAppendFields,
    .run = run_ledger_append,
};

}  // namespace holdfast::cli
